import { authErrorCode } from '#app/data/backend-error.ts'
import { queryBackend } from '#app/data/query-backend.ts'
import { showPasskey } from './passkey.ts'
import { TOO_MANY } from './prove-password.ts'

const WRONG_CODE = 'This code is wrong or was used before. Wait for the next one and try again.'
const WRONG_RECOVERY_CODE = 'This recovery code is wrong or was used before.'
const NO_PASSKEY = 'Your browser did not use the passkey. Try again or choose another way.'

/** Verifies an authenticator code against each of the account's apps in turn. Returns an error message, or null. */
export async function verifyWithCode(apps: { id: string }[], typed: string): Promise<string | null> {
  const code = typed.replaceAll(/\s/g, '')
  let problem: string | null = WRONG_CODE
  for (const { id: factorId } of apps) {
    // Try the next app only after this one has refused the code.
    // oxlint-disable-next-line no-await-in-loop
    problem = await problemOf(
      queryBackend(({ auth }) => auth.mfa.challengeAndVerify({ factorId, code })),
      WRONG_CODE,
    )
    if (problem === null) break
  }
  return problem
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

/** Returns the message for a refused factor; throws if the shop cannot be reached. */
async function problemOf(verifying: Promise<unknown>, refused: string): Promise<string | null> {
  try {
    await verifying
    return null
  } catch (error) {
    const code = authErrorCode(error)
    if (code === null && !(error instanceof DOMException)) throw error
    return code === 'over_request_rate_limit' ? TOO_MANY : refused
  }
}
