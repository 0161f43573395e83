/**
 * Passkeys in the browser's own dialog. The client's `webauthn.register` and `authenticate` prefer security keys. Calling the steps
 * one by one passes the server's options unchanged, so phones and laptops can create passkeys too.
 */
import type { MFAVerifyWebauthnParams } from '@supabase/supabase-js'
import { queryBackend } from '#app/data/query-backend.ts'
import { changeFactors } from './change-factors.ts'
import { unenrolUnfinished } from './unenrol-unfinished.ts'

/** Adds a passkey to the account. Throws if the browser or the user refuses. */
export async function addPasskey(friendlyName: string): Promise<void> {
  const { id } = await queryBackend(({ auth }) => auth.mfa.enroll({ factorType: 'webauthn', friendlyName }))
  const answer = await askForPasskey(id).catch(async (error: unknown) => {
    // It would count as one of the account's ten factors for ten minutes.
    await unenrolUnfinished(id)
    throw error
  })
  // The factor stays if this fails: the response may be lost after the server has accepted the passkey.
  await changeFactors(verify(id, answer))
}

/** Signs with the factor's key, and raises the session to aal2. */
export async function showPasskey(factorId: string): Promise<void> {
  await verify(factorId, await askForPasskey(factorId))
}

interface PasskeyAnswer {
  challengeId: string
  webauthn: MFAVerifyWebauthnParams['webauthn']
}

/** Shows the browser's dialog, which creates the factor's key at the first use and signs with it later. */
async function askForPasskey(factorId: string): Promise<PasskeyAnswer> {
  const party = { rpId: location.hostname, rpOrigins: [location.origin] }
  const challenge = await queryBackend(({ auth }) => auth.mfa.challenge({ factorId, webauthn: party }))
  const { type, credential_options: options } = challenge.webauthn
  /* oxlint-disable typescript/no-unsafe-type-assertion -- the client's types of the ceremony are newer than the compiler's */
  const credential =
    type === 'create'
      ? await navigator.credentials.create(options as CredentialCreationOptions)
      : await navigator.credentials.get(options as CredentialRequestOptions)
  if (!(credential instanceof PublicKeyCredential)) throw new DOMException('the browser showed no key')
  const webauthn = { type, ...party, credential_response: credential } as MFAVerifyWebauthnParams['webauthn']
  /* oxlint-enable typescript/no-unsafe-type-assertion */
  return { challengeId: challenge.id, webauthn }
}

async function verify(factorId: string, answer: PasskeyAnswer): Promise<void> {
  await queryBackend(({ auth }) => auth.mfa.verify({ factorId, ...answer }))
}
