import type {
  AuthenticationResponseJSON,
  RegistrationResponseJSON,
  VerifyRegistrationResponseOpts,
} from '@simplewebauthn/server'
import type { PoolClient } from 'pg'
import { z } from 'zod'

import { AuthError } from '../errors.ts'
import type { RelyingParty } from '../settings.ts'
import type { UserRow } from '../users/user-row.ts'
import { findCredentials, type OwnFactor, type StoredCredential } from './find-factor.ts'

/** Loaded lazily: it is large and probes experimental Node APIs while loading. */
const library = () => import('@simplewebauthn/server')

export interface Ceremony {
  type: 'create' | 'request'
  credential_options: { publicKey: { challenge: string } }
}

/** Returns the WebAuthn options: registration at the factor's first challenge, authentication afterwards. */
export async function beginCeremony(
  client: PoolClient,
  party: RelyingParty,
  { user, factor }: { user: UserRow; factor: OwnFactor },
): Promise<Ceremony> {
  const { generateAuthenticationOptions, generateRegistrationOptions } = await library()
  const credential = factor.web_authn_credential
  if (credential) {
    const publicKey = await generateAuthenticationOptions({
      rpID: party.id,
      allowCredentials: [{ id: credential.id, transports: credential.transports }],
    })
    return { type: 'request', credential_options: { publicKey } }
  }
  const registered = await findCredentials(client, user.id)
  const publicKey = await generateRegistrationOptions({
    rpID: party.id,
    rpName: party.name,
    userName: user.email || user.id,
    userID: new Uint8Array(Buffer.from(user.id)),
    // An authenticator keeps one passkey per user id: a second one would overwrite the first, whose factor stays listed.
    excludeCredentials: registered.map(({ id, transports }) => ({ id, transports })),
  })
  return { type: 'create', credential_options: { publicKey } }
}

/** Only the members that the library's types need; the library validates the rest. */
const credentialSchema = z.looseObject({
  id: z.string(),
  rawId: z.string(),
  type: z.literal('public-key'),
  response: z.looseObject({ clientDataJSON: z.string() }),
  clientExtensionResults: z.looseObject({}).default({}),
})

export const webauthnSchema = z.object({ credential_response: credentialSchema })

interface CeremonyResponse {
  factor: OwnFactor
  challenge: string
  response: z.infer<typeof credentialSchema>
}

/** Verifies the response against the configured origins and id. Throws `mfa_verification_failed`. */
export async function finishCeremony(
  client: PoolClient,
  party: RelyingParty,
  { factor, challenge, response }: CeremonyResponse,
): Promise<void> {
  const expected = {
    expectedChallenge: challenge,
    expectedOrigin: party.origins,
    expectedRPID: party.id,
    requireUserVerification: false,
  }
  const credential = factor.web_authn_credential
    ? await verifyCredential(factor.web_authn_credential, response, expected)
    : await registerCredential(response, expected)
  await client.query('update auth.mfa_factors set web_authn_credential = $2 where id = $1', [
    factor.id,
    credential,
  ])
}

type Expected = Omit<VerifyRegistrationResponseOpts, 'response'> & { expectedRPID: string }

async function registerCredential(
  response: CeremonyResponse['response'],
  expected: Expected,
): Promise<StoredCredential> {
  // The library checks every member.
  const created = z.custom<RegistrationResponseJSON>().parse(response)
  const { verifyRegistrationResponse } = await library()
  const result = await verifyRegistrationResponse({ ...expected, response: created }).catch(refuse)
  if (!result.verified) throw refused()
  const { id, publicKey, counter, transports } = result.registrationInfo.credential
  return { id, publicKey: Buffer.from(publicKey).toString('base64url'), counter, transports }
}

async function verifyCredential(
  stored: StoredCredential,
  response: CeremonyResponse['response'],
  expected: Expected,
): Promise<StoredCredential> {
  const credential = { ...stored, publicKey: new Uint8Array(Buffer.from(stored.publicKey, 'base64url')) }
  // The library checks every member.
  const assertion = z.custom<AuthenticationResponseJSON>().parse(response)
  const { verifyAuthenticationResponse } = await library()
  const result = await verifyAuthenticationResponse({ ...expected, response: assertion, credential }).catch(
    refuse,
  )
  if (!result.verified) throw refused()
  return { ...stored, counter: result.authenticationInfo.newCounter }
}

function refuse(cause: unknown): never {
  throw refused(cause)
}

function refused(cause?: unknown): AuthError {
  return new AuthError('mfa_verification_failed', 'Invalid passkey response', { cause })
}
