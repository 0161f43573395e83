/** The server takes so many in one press. */
export const BATCH_SIZE = 500

/** One call after the other, each with at most 500 ids: what a later one refuses the earlier ones have done. */
export async function runInBatches<Answer>(
  ids: string[],
  act: (ids: string[]) => Promise<Answer>,
): Promise<Answer[]> {
  const answers: Answer[] = []
  for (let first = 0; first < ids.length; first += BATCH_SIZE) {
    // oxlint-disable-next-line no-await-in-loop -- see above
    answers.push(await act(ids.slice(first, first + BATCH_SIZE)))
  }
  return answers
}
