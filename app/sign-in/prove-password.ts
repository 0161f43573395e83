import { authRefusal } from '#app/data/backend-error.ts'
import { queryBackend } from '#app/data/query-backend.ts'

export const TOO_MANY = 'Too many attempts. Please wait five minutes.'

/**
 * Reauthenticates an account without a second factor by signing in again: the new session records the time. Returns an error message,
 * or null. Throws if the shop cannot be reached.
 */
export function provePassword(password: string): Promise<string | null> {
  return authRefusal(signInAgain(password), {
    invalid_credentials: 'This is not your password.',
    over_request_rate_limit: TOO_MANY,
  })
}

async function signInAgain(password: string): Promise<void> {
  // The address in the browser is from before a change that was confirmed on another device.
  const { user } = await queryBackend(({ auth }) => auth.getUser())
  await queryBackend(({ auth }) => auth.signInWithPassword({ email: user.email ?? '', password }))
}
