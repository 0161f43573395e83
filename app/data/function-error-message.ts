/** The message for a refused token. A refusal by the gateway is written for developers. */
export const SESSION_ENDED = 'Your session has ended. Please sign in again.'

/** Returns the message of a server function's 4xx response, which is written for the reader; `null` for any other error. */
export async function functionErrorMessage(error: unknown): Promise<string | null> {
  if (!(error instanceof Error) || !('context' in error) || !(error.context instanceof Response)) return null
  if (error.context.status === 401) return SESSION_ENDED
  if (error.context.status >= 500) return null
  try {
    const body: unknown = await error.context.json()
    const hasMessage = typeof body === 'object' && body !== null && 'message' in body
    return hasMessage ? String(body.message) : null
  } catch {
    // A body that is not JSON comes from a proxy, not from the function.
    return null
  }
}
