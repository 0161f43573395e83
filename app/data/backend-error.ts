/** A database error: `details` holds an error code, `hint` its parameters as JSON (docs/error-codes.md). */
export interface BackendError {
  code: string
  message: string
  details: string | null
  hint: string | null
}

const UNIQUE_VIOLATION = '23505'

export function isBackendError(error: unknown): error is BackendError {
  return (
    typeof error === 'object' && error !== null && 'code' in error && 'details' in error && 'hint' in error
  )
}

/** Returns the database's error behind an error of `queryBackend`, if it has one of these error codes; otherwise `null`. */
export function backendError(error: unknown, ...codes: string[]): BackendError | null {
  const cause = error instanceof Error ? error.cause : null
  if (!isBackendError(cause)) return null
  return codes.length === 0 || codes.includes(cause.details ?? '') ? cause : null
}

/** Whether the database refused a second row with the same unique key. */
export function isUniqueViolation(error: unknown): boolean {
  return backendError(error)?.code === UNIQUE_VIOLATION
}

/** Returns the sign-in service's error code (`over_request_rate_limit`); `null` for any other error. */
export function authErrorCode(error: unknown): string | null {
  const cause = error instanceof Error ? (error.cause ?? error) : null
  if (!(cause instanceof Error) || !('code' in cause) || !('status' in cause)) return null
  return typeof cause.code === 'string' ? cause.code : null
}

/** Returns the message for a refusal of the sign-in service, by its error code, or null for a success; throws for other errors. */
export async function authRefusal(
  call: Promise<unknown>,
  messages: Record<string, string>,
): Promise<string | null> {
  try {
    await call
    return null
  } catch (error) {
    const message = messages[authErrorCode(error) ?? '']
    if (message === undefined) throw error
    return message
  }
}
