/** What the database says when it refuses: a machine word in `details`, its facts as JSON in `hint` (docs/error-codes.md). */
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

/** The machine word of the accounts service (`over_request_rate_limit`); `null` for anything else that went wrong. */
export function authErrorCode(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error) || !('status' in error)) return null
  return typeof error.code === 'string' ? error.code : null
}
