import type { Factor } from '@supabase/supabase-js'
import { loadBackend } from '#app/data/backend.ts'
import { authErrorCode } from '#app/data/backend-error.ts'
import { showPasskey } from './passkey.ts'

/** The account's verified second factors. */
export interface Factors {
  totp: Factor[]
  passkeys: Factor[]
}

export async function loadFactors(): Promise<Factors> {
  const client = await loadBackend()
  const { data, error } = await client.auth.mfa.listFactors()
  if (error) throw error
  return { totp: data.totp, passkeys: data.webauthn }
}

export type VerifyResult = { outcome: 'proven' } | { outcome: 'refused'; message: string }

const WRONG_CODE = 'This code is wrong or was used before. Wait for the next one and try again.'
const WRONG_RECOVERY_CODE = 'This recovery code is wrong or was used before.'
const NO_PASSKEY = 'Your browser did not use the passkey. Try again or choose another way.'
const TOO_MANY = 'Too many attempts. Please wait five minutes.'
const NO_ANSWER = 'We couldn’t reach the shop. Check your connection and try again.'

/** Verifies an authenticator code against each of the account's apps in turn. */
export async function verifyWithCode(totp: Pick<Factor, 'id'>[], code: string): Promise<VerifyResult> {
  const client = await loadBackend()
  let refused: VerifyResult = { outcome: 'refused', message: WRONG_CODE }
  for (const { id } of totp) {
    // Try the next app only after this one has refused the code.
    // oxlint-disable-next-line no-await-in-loop
    const { error } = await client.auth.mfa.challengeAndVerify({ factorId: id, code })
    if (!error) return { outcome: 'proven' }
    refused = refusalOf(error, WRONG_CODE)
  }
  return refused
}

export async function verifyWithPasskey(factorId: string): Promise<VerifyResult> {
  try {
    await showPasskey(factorId)
    return { outcome: 'proven' }
  } catch (error) {
    console.error('the passkey was not shown', error)
    return refusalOf(error, NO_PASSKEY)
  }
}

export async function verifyWithRecoveryCode(code: string): Promise<VerifyResult> {
  const client = await loadBackend()
  const { error } = await client.auth.mfa.recoveryCodes.verify({ code })
  return error ? refusalOf(error, WRONG_RECOVERY_CODE) : { outcome: 'proven' }
}

function refusalOf(error: unknown, wrong: string): VerifyResult {
  if (authErrorCode(error) === 'over_request_rate_limit') return { outcome: 'refused', message: TOO_MANY }
  if (error instanceof Error && error.name === 'AuthRetryableFetchError')
    return { outcome: 'refused', message: NO_ANSWER }
  return { outcome: 'refused', message: wrong }
}
