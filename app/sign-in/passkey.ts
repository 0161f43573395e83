/**
 * Passkeys, in the browser's own dialog. The client's `webauthn.register` and `authenticate` ask for a key on a wire or a chip first
 * or only; phones and laptops make passkeys as well, so the steps are taken one by one, with the server's options as they are.
 */
import type { MFAVerifyWebauthnParams } from '@supabase/supabase-js'
import { loadBackend } from '#app/session/backend.ts'

/** A new key for the account. Throws when none was made: the browser refused, or its owner did. */
export async function addPasskey(friendlyName: string): Promise<void> {
  const { mfa } = (await loadBackend()).auth
  const { data, error } = await mfa.enroll({ factorType: 'webauthn', friendlyName })
  if (error) throw error
  await showPasskey(data.id)
}

/** Has the browser make the factor's key, the first time, or sign with it, and the session raised by that. */
export async function showPasskey(factorId: string): Promise<void> {
  const { mfa } = (await loadBackend()).auth
  const party = { rpId: location.hostname, rpOrigins: [location.origin] }
  const { data: challenge, error } = await mfa.challenge({ factorId, webauthn: party })
  if (error) throw error
  const { type, credential_options: options } = challenge.webauthn
  /* oxlint-disable typescript/no-unsafe-type-assertion -- the client's types of the ceremony are newer than the compiler's */
  const credential =
    type === 'create'
      ? await navigator.credentials.create(options as CredentialCreationOptions)
      : await navigator.credentials.get(options as CredentialRequestOptions)
  if (!(credential instanceof PublicKeyCredential)) throw new Error('the browser showed no key')
  const answer = { type, ...party, credential_response: credential } as MFAVerifyWebauthnParams['webauthn']
  /* oxlint-enable typescript/no-unsafe-type-assertion */
  const verified = await mfa.verify({ factorId, challengeId: challenge.id, webauthn: answer })
  if (verified.error) throw verified.error
}
