import { queryBackend } from '#app/data/query-backend.ts'
import { authErrorCode } from '#app/data/backend-error.ts'

/**
 * Reauthenticates an account without a second factor by signing in again: the new session records the time. Returns an error message,
 * or null. Throws if the shop cannot be reached.
 */
export async function provePassword(email: string, password: string): Promise<string | null> {
  try {
    await queryBackend(({ auth }) => auth.signInWithPassword({ email, password }))
    return null
  } catch (error) {
    if (authErrorCode(error) === 'invalid_credentials') return 'This is not your password.'
    if (authErrorCode(error) === 'over_request_rate_limit')
      return 'Too many attempts. Please wait five minutes.'
    throw error
  }
}
