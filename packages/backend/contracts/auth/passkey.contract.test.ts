import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'

import { openAuth, PUBLIC_URL, type TestAuth } from '#backend/testing/auth.ts'

let auth: TestAuth
beforeAll(async () => {
  auth = await openAuth({ passkeys: { id: 'localhost', name: 'Shop', origins: [PUBLIC_URL] } })
})
afterAll(() => auth.close())

const password = 'salt-water-42'
let people = 0
async function signUp() {
  people += 1
  const email = `angler${people}@example.com`
  const client = auth.client()
  const { data } = await client.auth.signUp({ email, password })
  return { email, token: data.session?.access_token ?? '' }
}

/** Sends what the official client sends, without `navigator.credentials`. */
async function call(path: string, token: string, body: object) {
  const answer = await auth.fetch(`${PUBLIC_URL}/auth/v1/factors${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
  })
  return { status: answer.status, body: await answer.json() }
}

/** A software authenticator together with its browser. */
function createAuthenticator(origin = PUBLIC_URL) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const id = randomBytes(16)
  let uses = 0

  function clientResponse(type: string, challenge: string) {
    const clientData = Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
    uses += 1
    return { clientData, authData: authenticatorData(type === 'webauthn.create' ? 0x41 : 0x01, uses) }
  }
  const wrap = (response: object) => ({
    id: id.toString('base64url'),
    rawId: id.toString('base64url'),
    type: 'public-key',
    clientExtensionResults: {},
    response,
  })

  return {
    id: id.toString('base64url'),
    create(challenge: string) {
      const { clientData, authData } = clientResponse('webauthn.create', challenge)
      const attested = Buffer.concat([
        authData,
        Buffer.alloc(16),
        Buffer.from([0, id.length]),
        id,
        coseKey(publicKey),
      ])
      const attestation = Buffer.concat([
        Buffer.from('a363666d74646e6f6e656761747453746d74a068617574684461746158', 'hex'),
        Buffer.from([attested.length]),
        attested,
      ])
      return wrap({
        clientDataJSON: clientData.toString('base64url'),
        attestationObject: attestation.toString('base64url'),
      })
    },
    /** Makes it behave like a copy of the authenticator that was used once. */
    rewind() {
      uses = 1
    },
    request(challenge: string) {
      const { clientData, authData } = clientResponse('webauthn.get', challenge)
      const signed = Buffer.concat([authData, createHash('sha256').update(clientData).digest()])
      return wrap({
        clientDataJSON: clientData.toString('base64url'),
        authenticatorData: authData.toString('base64url'),
        signature: sign('sha256', signed, privateKey).toString('base64url'),
      })
    },
  }
}

function authenticatorData(flags: number, uses: number): Buffer {
  const counter = Buffer.alloc(4)
  counter.writeUInt32BE(uses)
  return Buffer.concat([createHash('sha256').update('localhost').digest(), Buffer.from([flags]), counter])
}

/** RFC 9053: an ES256 key as CBOR. */
function coseKey(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' })
  const [start, between] = [Buffer.from('a5010203262001215820', 'hex'), Buffer.from('225820', 'hex')]
  return Buffer.concat([start, Buffer.from(x, 'base64url'), between, Buffer.from(y, 'base64url')])
}

type Authenticator = ReturnType<typeof createAuthenticator>

async function enrollPasskey(token: string, name = 'key'): Promise<string> {
  const { body } = await call('', token, { factor_type: 'webauthn', friendly_name: name })
  return body.id
}

async function verifyPasskey(token: string, factorId: string, authenticator: Authenticator) {
  const { body } = await call(`/${factorId}/challenge`, token, {
    factorId,
    webauthn: { rpId: 'evil.example' },
  })
  const type: 'create' | 'request' = body.webauthn.type
  const response = authenticator[type](body.webauthn.credential_options.publicKey.challenge)
  const webauthn = { type, rpId: 'localhost', rpOrigins: [PUBLIC_URL], credential_response: response }
  return { type, ...(await call(`/${factorId}/verify`, token, { challenge_id: body.id, webauthn })) }
}

// covers S4.3 S7.2
it('registers a passkey at the first challenge and verifies the passkey at the next sign-in', async () => {
  const { email, token } = await signUp()
  const factorId = await enrollPasskey(token)
  const key = createAuthenticator()

  const made = await verifyPasskey(token, factorId, key)
  const { data } = await auth.client().auth.signInWithPassword({ email, password })
  const shown = await verifyPasskey(data.session?.access_token ?? '', factorId, key)

  expect([made.type, made.status, shown.type, shown.status]).toEqual(['create', 200, 'request', 200])
  expect(made.body.user.factors).toMatchObject([{ factor_type: 'webauthn', status: 'verified' }])
  expect(JSON.stringify(made.body)).not.toContain('publicKey')
  const claims = JSON.parse(Buffer.from(shown.body.access_token.split('.')[1], 'base64url').toString())
  expect(claims).toMatchObject({ aal: 'aal2', amr: [{ method: 'mfa/webauthn' }, { method: 'password' }] })
})

it('names the account’s passkeys at a registration, so that an authenticator does not overwrite its own', async () => {
  const { token } = await signUp()
  const first = await enrollPasskey(token)
  const key = createAuthenticator()
  const { body: signedIn } = await verifyPasskey(token, first, key)

  const second = await enrollPasskey(signedIn.access_token, 'second key')
  const { body } = await call(`/${second}/challenge`, signedIn.access_token, {})

  const { publicKey } = body.webauthn.credential_options
  expect(publicKey.excludeCredentials).toEqual([{ id: key.id, type: 'public-key' }])
})

it('refuses a passkey signature of another key, another origin or an older challenge', async () => {
  const { token } = await signUp()
  const factorId = await enrollPasskey(token)
  const key = createAuthenticator()
  await verifyPasskey(token, factorId, key)
  const fresh = await call(`/${factorId}/challenge`, token, {})
  const older = key.request(fresh.body.webauthn.credential_options.publicKey.challenge)
  const next = await call(`/${factorId}/challenge`, token, {})

  const refused = [
    await verifyPasskey(token, factorId, createAuthenticator()),
    await verifyPasskey(token, factorId, createAuthenticator('https://evil.example')),
    await call(`/${factorId}/verify`, token, {
      challenge_id: next.body.id,
      webauthn: { credential_response: older },
    }),
    await call(`/${factorId}/verify`, token, { challenge_id: next.body.id, code: '000000' }),
  ]

  for (const { status, body } of refused) {
    expect({ status, code: body.error_code }).toEqual({ status: 422, code: 'mfa_verification_failed' })
  }
})

it('refuses a copied passkey, which counts fewer uses than the original', async () => {
  const { token } = await signUp()
  const factorId = await enrollPasskey(token)
  const key = createAuthenticator()
  await verifyPasskey(token, factorId, key)
  const used = [await verifyPasskey(token, factorId, key), await verifyPasskey(token, factorId, key)]

  key.rewind()
  const copied = await verifyPasskey(token, factorId, key)

  expect(used.map(({ status }) => status)).toEqual([200, 200])
  expect(copied).toMatchObject({ status: 422, body: { error_code: 'mfa_verification_failed' } })
})
