/**
 * Returns whether the client closed the connection before the whole body had arrived. Node's error for that has the same code as a lost
 * database connection.
 */
export function isAbortedRequest(error: unknown): boolean {
  return (
    error instanceof Error && error.message === 'aborted' && 'code' in error && error.code === 'ECONNRESET'
  )
}
