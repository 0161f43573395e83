import { authErrorCode } from '#app/data/backend-error.ts'
import { queryBackend } from '#app/data/query-backend.ts'
import { showPasskey } from './passkey.ts'
import { TOO_MANY } from './prove-password.ts'

const WRONG_CODE = 'This code is wrong or was used before. Wait for the next one and try again.'
const EXPIRED_KEY = 'This key has expired. Close this, delete the entry in your app, and add the app again.'
const WRONG_RECOVERY_CODE = 'This recovery code is wrong or was used before.'
const NO_PASSKEY = 'Your browser did not use the passkey. Try again or choose another way.'

/** Verifies an authenticator code against each of the account's apps in turn. Returns an error message, or null. */
export async function verifyWithCode(apps: { id: string }[], typed: string): Promise<string | null> {
  let problem: string | null = WRONG_CODE
  for (const { id: factorId } of apps) {
    // Try the next app only after this one has refused the code.
    // oxlint-disable-next-line no-await-in-loop
    problem = await problemOf(showCode(factorId, typed), WRONG_CODE)
    if (problem === null) break
  }
  return problem
}

/** Verifies the first code of an authenticator app that is being added. Returns an error message, or null. */
export function verifyFirstCode(factorId: string, typed: string): Promise<string | null> {
  return problemOf(showCode(factorId, typed), WRONG_CODE, EXPIRED_KEY)
}

function showCode(factorId: string, typed: string): Promise<unknown> {
  const code = typed.replaceAll(/\s/g, '')
  return queryBackend(({ auth }) => auth.mfa.challengeAndVerify({ factorId, code }))
}

export function verifyWithPasskey(factorId: string): Promise<string | null> {
  return problemOf(showPasskey(factorId), NO_PASSKEY)
}

export function verifyWithRecoveryCode(code: string): Promise<string | null> {
  return problemOf(
    queryBackend(({ auth }) => auth.mfa.recoveryCodes.verify({ code })),
    WRONG_RECOVERY_CODE,
  )
}

/** Returns the message for a refused factor; throws if the shop cannot be reached. `gone` is for a factor that no longer exists. */
async function problemOf(
  verifying: Promise<unknown>,
  refused: string,
  gone = refused,
): Promise<string | null> {
  try {
    await verifying
    return null
  } catch (error) {
    const code = authErrorCode(error)
    if (code === null && !(error instanceof DOMException)) throw error
    if (code === 'mfa_factor_not_found') return gone
    return code === 'over_request_rate_limit' ? TOO_MANY : refused
  }
}
