import type { Factor } from '@supabase/supabase-js'
import { loadBackend } from '#app/session/backend.ts'
import { authErrorCode } from '#app/session/backend-error.ts'
import { showPasskey } from './passkey.ts'

/** How this account can show that it is its owner, besides the password. */
export interface Proofs {
  totp: Factor[]
  passkeys: Factor[]
}

export async function loadProofs(): Promise<Proofs> {
  const client = await loadBackend()
  const { data, error } = await client.auth.mfa.listFactors()
  if (error) throw error
  return { totp: data.totp, passkeys: data.webauthn }
}

export type Proving = { outcome: 'proven' } | { outcome: 'refused'; message: string }

const WRONG_CODE = 'This code is not right, or it was used before. Wait for the next one and try again.'
const WRONG_RECOVERY_CODE = 'This recovery code is not right, or it was used before.'
const NO_PASSKEY = 'The passkey was not shown. Try again, or choose another way.'
const TOO_MANY = 'Too many tries. Please wait five minutes.'
const NO_ANSWER = 'The shop did not answer. Check your connection and try again.'

/** The code of an authenticator app. With several apps set up, any of them may have shown it. */
export async function proveWithCode(totp: Pick<Factor, 'id'>[], code: string): Promise<Proving> {
  const client = await loadBackend()
  let refused: Proving = { outcome: 'refused', message: WRONG_CODE }
  for (const { id } of totp) {
    // The next app is asked only when the code is not this one's.
    // oxlint-disable-next-line no-await-in-loop
    const { error } = await client.auth.mfa.challengeAndVerify({ factorId: id, code })
    if (!error) return { outcome: 'proven' }
    refused = refusalOf(error, WRONG_CODE)
  }
  return refused
}

export async function proveWithPasskey(factorId: string): Promise<Proving> {
  try {
    await showPasskey(factorId)
    return { outcome: 'proven' }
  } catch (error) {
    console.error('the passkey was not shown', error)
    return refusalOf(error, NO_PASSKEY)
  }
}

export async function proveWithRecoveryCode(code: string): Promise<Proving> {
  const client = await loadBackend()
  const { error } = await client.auth.mfa.recoveryCodes.verify({ code })
  return error ? refusalOf(error, WRONG_RECOVERY_CODE) : { outcome: 'proven' }
}

function refusalOf(error: unknown, wrong: string): Proving {
  if (authErrorCode(error) === 'over_request_rate_limit') return { outcome: 'refused', message: TOO_MANY }
  if (error instanceof Error && error.name === 'AuthRetryableFetchError')
    return { outcome: 'refused', message: NO_ANSWER }
  return { outcome: 'refused', message: wrong }
}
