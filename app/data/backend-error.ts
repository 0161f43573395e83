/** A database error: `details` holds an error code, `hint` its parameters as JSON (docs/error-codes.md). */
export interface BackendError {
  code: string
  message: string
  details: string | null
  hint: string | null
}

export function isBackendError(error: unknown): error is BackendError {
  return (
    typeof error === 'object' && error !== null && 'code' in error && 'details' in error && 'hint' in error
  )
}

/** Returns the auth service's error code (`over_request_rate_limit`); `null` for any other error. */
export function authErrorCode(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error) || !('status' in error)) return null
  return typeof error.code === 'string' ? error.code : null
}
