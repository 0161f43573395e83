/** The server takes so many in one press. */
export const ORDERS_AT_ONCE = 500

/** One call after the other, each with at most 500 ids: what a later one refuses the earlier ones have done. */
export async function inTurns<Answer>(
  ids: string[],
  act: (ids: string[]) => Promise<Answer>,
): Promise<Answer[]> {
  const answers: Answer[] = []
  for (let first = 0; first < ids.length; first += ORDERS_AT_ONCE) {
    // oxlint-disable-next-line no-await-in-loop -- see above
    answers.push(await act(ids.slice(first, first + ORDERS_AT_ONCE)))
  }
  return answers
}
