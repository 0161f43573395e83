/**
 * Whether reading a request's body failed because the client's connection closed before all of it had arrived. Node's error for that
 * has the code of a lost connection, so it is easily taken for the database's.
 */
export function isCutRequest(error: unknown): boolean {
  return (
    error instanceof Error && error.message === 'aborted' && 'code' in error && error.code === 'ECONNRESET'
  )
}
