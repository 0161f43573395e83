import { loadBackend } from '#app/session/backend.ts'
import { authErrorCode } from '#app/session/backend-error.ts'

/**
 * Signing in once more is the proof of an account without a second step: the new session says when it was given. Answers what was wrong;
 * a shop that does not answer is thrown.
 */
export async function provePassword(email: string, password: string): Promise<string | null> {
  const client = await loadBackend()
  const { error } = await client.auth.signInWithPassword({ email, password })
  if (!error) return null
  if (authErrorCode(error) === 'invalid_credentials') return 'This is not your password.'
  if (authErrorCode(error) === 'over_request_rate_limit') return 'Too many tries. Please wait five minutes.'
  throw error
}
