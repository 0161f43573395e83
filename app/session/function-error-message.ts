/** The sentence of a server function that refused, which is written for people; `null` for anything else that went wrong. */
export async function functionErrorMessage(error: unknown): Promise<string | null> {
  if (!(error instanceof Error) || !('context' in error) || !(error.context instanceof Response)) return null
  if (error.context.status >= 500) return null
  try {
    const answer: unknown = await error.context.json()
    const isTold = typeof answer === 'object' && answer !== null && 'message' in answer
    return isTold ? String(answer.message) : null
  } catch {
    // Whatever answered was not the function.
    return null
  }
}
