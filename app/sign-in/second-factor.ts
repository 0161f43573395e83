import { authErrorCode } from '#app/data/backend-error.ts'
import { queryBackend } from '#app/data/query-backend.ts'
import { changeFactors } from './change-factors.ts'
import { showPasskey } from './passkey.ts'
import { TOO_MANY } from './prove-password.ts'

/** Fifteen wrong codes, then another one every 96 minutes (decision 0033). Recovery codes have a limit of their own. */
const TOO_MANY_CODES = 'Too many wrong codes. Use a recovery code, or try again in two hours.'
const WRONG_CODE = 'This code is wrong or was used before. Wait for the next one and try again.'
const EXPIRED_KEY = 'This key has expired. Close this, delete the entry in your app, and add the app again.'
const WRONG_RECOVERY_CODE = 'This recovery code is wrong or was used before.'
const NO_PASSKEY = 'Your browser did not use the passkey. Try again or choose another way.'

/** Verifies a code of one authenticator app: each app that it is sent to costs a guess. Returns an error message, or null. */
export function verifyWithCode(factorId: string, typed: string): Promise<string | null> {
  return problemOf(showCode(factorId, typed), { refused: WRONG_CODE, limited: TOO_MANY_CODES })
}

/** Verifies the first code of an authenticator app that is being added. Returns an error message, or null. */
export function verifyFirstCode(factorId: string, typed: string): Promise<string | null> {
  return problemOf(changeFactors(showCode(factorId, typed)), { refused: WRONG_CODE, gone: EXPIRED_KEY })
}

function showCode(factorId: string, typed: string): Promise<unknown> {
  const code = typed.replaceAll(/\s/g, '')
  return queryBackend(({ auth }) => auth.mfa.challengeAndVerify({ factorId, code }))
}

export function verifyWithPasskey(factorId: string): Promise<string | null> {
  return problemOf(showPasskey(factorId), { refused: NO_PASSKEY })
}

export function verifyWithRecoveryCode(code: string): Promise<string | null> {
  return problemOf(
    queryBackend(({ auth }) => auth.mfa.recoveryCodes.verify({ code })),
    { refused: WRONG_RECOVERY_CODE },
  )
}

interface Refusals {
  refused: string
  /** For a factor that no longer exists. */
  gone?: string
  limited?: string
}

/** Returns the message for a refused factor; throws if the shop cannot be reached. */
async function problemOf(
  verifying: Promise<unknown>,
  { refused, gone = refused, limited = TOO_MANY }: Refusals,
): Promise<string | null> {
  try {
    await verifying
    return null
  } catch (error) {
    const code = authErrorCode(error)
    if (code === null && !(error instanceof DOMException)) throw error
    if (code === 'mfa_factor_not_found') return gone
    return code === 'over_request_rate_limit' ? limited : refused
  }
}
