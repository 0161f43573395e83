/**
 * Passkeys in the browser's own dialog. The client's `webauthn.register` and `authenticate` prefer security keys. Calling the steps
 * one by one passes the server's options unchanged, so phones and laptops can create passkeys too.
 */
import type { MFAVerifyWebauthnParams } from '@supabase/supabase-js'
import { queryBackend } from '#app/data/query-backend.ts'

/** Adds a passkey to the account. Throws if the browser or the user refuses. */
export async function addPasskey(friendlyName: string): Promise<void> {
  const factor = await queryBackend(({ auth }) => auth.mfa.enroll({ factorType: 'webauthn', friendlyName }))
  await showPasskey(factor.id)
}

/** Creates the factor's key at the first use, signs with it later, and raises the session to aal2. */
export async function showPasskey(factorId: string): Promise<void> {
  const party = { rpId: location.hostname, rpOrigins: [location.origin] }
  const challenge = await queryBackend(({ auth }) => auth.mfa.challenge({ factorId, webauthn: party }))
  const { type, credential_options: options } = challenge.webauthn
  /* oxlint-disable typescript/no-unsafe-type-assertion -- the client's types of the ceremony are newer than the compiler's */
  const credential =
    type === 'create'
      ? await navigator.credentials.create(options as CredentialCreationOptions)
      : await navigator.credentials.get(options as CredentialRequestOptions)
  if (!(credential instanceof PublicKeyCredential)) throw new DOMException('the browser showed no key')
  const answer = { type, ...party, credential_response: credential } as MFAVerifyWebauthnParams['webauthn']
  /* oxlint-enable typescript/no-unsafe-type-assertion */
  await queryBackend(({ auth }) => auth.mfa.verify({ factorId, challengeId: challenge.id, webauthn: answer }))
}
