import * as fc from 'fast-check'
import {
  exportJWK,
  exportSPKI,
  generateKeyPair,
  importJWK,
  SignJWT,
  UnsecuredJWT,
  type JWTPayload,
} from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { runs } from '#backend/testing/property-runs.ts'
import { openAuth, PUBLIC_URL, type TestAuth } from '#backend/testing/auth.ts'
import { createAuth } from './create-auth.ts'
import { loadSigningKey, rotateSigningKey } from './keys/signing-keys.ts'

let auth: TestAuth
let session: { access_token: string; user: { id: string } }
beforeAll(async () => {
  auth = await openAuth({ limits: generous })
  const { data } = await auth.client().auth.signUp({ email: 'angler@example.com', password: 'salt-water-42' })
  if (!data.session) throw new Error('not signed up')
  session = data.session
})
afterAll(() => auth.close())

const limit = { tries: 10_000, periodSeconds: 60 }
const generous = { attemptsPerAddress: limit, refreshesPerAddress: limit, failuresPerAccount: limit }

function post(path: string, body: BodyInit, headers: Record<string, string> = {}) {
  return auth.fetch(`${PUBLIC_URL}/auth/v1${path}`, {
    method: 'POST',
    body,
    headers,
    duplex: 'half',
  } as RequestInit)
}

function userWith(token: string) {
  return auth.fetch(`${PUBLIC_URL}/auth/v1/user`, { headers: { authorization: `Bearer ${token}` } })
}

function claims(): JWTPayload {
  return JSON.parse(Buffer.from(session.access_token.split('.')[1] ?? '', 'base64url').toString())
}

describe('access tokens', () => {
  it('accepts a valid access token', async () => {
    expect((await userWith(session.access_token)).status).toBe(200)
  })

  it('refuses an expired access token and names the reason', async () => {
    const { kid, privateJwk } = await loadSigningKey(auth.database.owner)
    const expired = await new SignJWT({ ...claims(), exp: 1 })
      .setProtectedHeader({ alg: 'ES256', kid })
      .sign(await importJWK(privateJwk, 'ES256'))

    const answer = await userWith(expired)

    expect(answer.status).toBe(403)
    expect(await answer.json()).toMatchObject({
      error_code: 'bad_jwt',
      msg: expect.stringContaining('expired'),
    })
  })

  it('refuses forged, unsigned and malformed access tokens', async () => {
    const { kid, privateJwk } = await loadSigningKey(auth.database.owner)
    const own = await generateKeyPair('ES256', { extractable: true })
    const published = await importJWK({ ...privateJwk, d: undefined, key_ops: [] }, 'ES256', {
      extractable: true,
    })
    if (published instanceof Uint8Array) throw new Error('no public key')
    const asSecret = new TextEncoder().encode(await exportSPKI(published))
    const [head, , tail] = session.access_token.split('.')
    const raised = Buffer.from(JSON.stringify({ ...claims(), role: 'service_role' })).toString('base64url')
    const forged = {
      foreignKey: await new SignJWT(claims()).setProtectedHeader({ alg: 'ES256', kid }).sign(own.privateKey),
      unknownKey: await new SignJWT(claims())
        .setProtectedHeader({ alg: 'ES256', kid: 'mine' })
        .sign(own.privateKey),
      keyInHeader: await new SignJWT(claims())
        .setProtectedHeader({ alg: 'ES256', kid, jwk: await exportJWK(own.publicKey) })
        .sign(own.privateKey),
      publicKeyAsSecret: await new SignJWT(claims()).setProtectedHeader({ alg: 'HS256', kid }).sign(asSecret),
      unsigned: new UnsecuredJWT(claims()).encode(),
      raised: `${head}.${raised}.${tail}`,
      cut: session.access_token.slice(0, -2),
      garbage: 'not.a.token',
      emoji: Buffer.from('🎣').toString('latin1'),
      publishableKey: auth.keys.publishable,
      secretKey: auth.keys.secret,
    }

    for (const [name, token] of Object.entries(forged)) {
      const answer = await userWith(token)
      expect({ name, status: answer.status, ...(await answer.json()) }).toMatchObject({
        name,
        status: 403,
        error_code: 'bad_jwt',
      })
    }
  })

  it('accepts a legacy service key only if the legacy JWT secret is configured', async () => {
    const secret = 'a-shared-secret-of-at-least-32-characters'
    const serviceKey = await new SignJWT({ role: 'service_role' })
      .setProtectedHeader({ alg: 'HS256' })
      .sign(new TextEncoder().encode(secret))
    const ask = async (legacySecret?: string) => {
      const process = createAuth({
        database: auth.database,
        keys: auth.keys,
        publicUrl: PUBLIC_URL,
        legacySecret,
        sendMail: async () => undefined,
        log: { error: () => undefined },
      })
      const answer = await process.request('/admin/users', {
        headers: { authorization: `Bearer ${serviceKey}` },
      })
      return answer.status
    }

    expect([await ask(secret), await ask('another-secret-of-at-least-32-characters'), await ask()]).toEqual([
      200, 403, 403,
    ])
  })

  it('requires an access token for the user endpoint', async () => {
    const answer = await auth.fetch(`${PUBLIC_URL}/auth/v1/user`)

    expect(answer.status).toBe(401)
    expect(await answer.json()).toMatchObject({ code: 401, error_code: 'no_authorization' })
  })

  it('accepts earlier access tokens after a key rotation and publishes both keys', async () => {
    const published = await auth.fetch(`${PUBLIC_URL}/auth/v1/.well-known/jwks.json`)
    expect(published.headers.get('cache-control')).toBe('public, max-age=600')
    const before = await published.json()

    const { kid } = await rotateSigningKey(auth.database.owner)

    const after = await (await auth.fetch(`${PUBLIC_URL}/auth/v1/.well-known/jwks.json`)).json()
    expect(after.keys.map((key: { kid: string }) => key.kid)).toEqual([kid, before.keys[0].kid])
    expect(JSON.stringify(after)).not.toContain('"d"')
    expect((await userWith(session.access_token)).status).toBe(200)
    const newest = await auth
      .client()
      .auth.signInWithPassword({ email: 'angler@example.com', password: 'salt-water-42' })
    expect((await userWith(newest.data.session?.access_token ?? '')).status).toBe(200)
  })
})

describe('error format', () => {
  it('uses the newer error format only when the request names the newer API version', async () => {
    const older = await post('/signup', '{}')
    const newer = await post('/signup', '{}', { 'x-supabase-api-version': '2024-01-01' })

    expect(await older.json()).toMatchObject({ code: 422, error_code: 'anonymous_provider_disabled' })
    expect(older.headers.get('x-supabase-api-version')).toBeNull()
    expect(older.headers.get('x-sb-error-code')).toBe('anonymous_provider_disabled')
    expect(await newer.json()).toMatchObject({ code: 'anonymous_provider_disabled' })
    expect(newer.headers.get('x-supabase-api-version')).toBe('2024-01-01')
  })
})

describe('request bodies', () => {
  it.each([
    ['broken JSON', '{"email":', 400, 'bad_json'],
    ['a list', '[1]', 400, 'validation_failed'],
    ['a number', '7', 400, 'validation_failed'],
    [
      'a NUL in a name',
      '{"email":"a@example.com","password":"salt-water","data":{"full_name":"a\\u0000b"}}',
      400,
      'validation_failed',
    ],
    ['a NUL in a key', '{"data":{"\\u0000":1}}', 400, 'validation_failed'],
    ['half a surrogate pair', '{"data":{"full_name":"\\ud83c"}}', 400, 'validation_failed'],
    ['no address', '{"email":"angler","password":"salt-water"}', 400, 'validation_failed'],
    [
      'an address of 256 characters',
      `{"email":"${'a'.repeat(256 - '@example.com'.length)}@example.com","password":"salt-water"}`,
      400,
      'validation_failed',
    ],
    [
      'an address that is a list',
      '{"email":["a@example.com"],"password":"salt-water"}',
      400,
      'validation_failed',
    ],
    ['no password', '{"email":"nopass@example.com"}', 400, 'validation_failed'],
    [
      'a password of 73 characters',
      `{"email":"long@example.com","password":"${'x'.repeat(73)}"}`,
      422,
      'validation_failed',
    ],
    [
      '7 kB of metadata',
      `{"email":"a@example.com","password":"salt-water","data":{"cv":"${'x'.repeat(7000)}"}}`,
      400,
      'validation_failed',
    ],
    ['deep nesting', `{"data":${'['.repeat(5000)}${']'.repeat(5000)}}`, 400, 'validation_failed'],
    ['lists in 40 levels', `{"data":{"a":${'['.repeat(40)}${']'.repeat(40)}}}`, 400, 'validation_failed'],
  ])('refuses a sign-up whose body has %s', async (...[, body, status, code]) => {
    const answer = await post('/signup', body)

    expect(answer.status).toBe(status)
    expect(await answer.json()).toMatchObject({ error_code: code })
  })

  it('refuses a body of 50 MB without reading the whole body', async () => {
    let sent = 0
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 1
        if (sent > 800) controller.close()
        else controller.enqueue(new Uint8Array(64 * 1024).fill(120))
      },
    })

    const answer = await post('/signup', endless)

    expect(answer.status).toBe(413)
    expect(await answer.json()).toMatchObject({ error_code: 'request_too_large' })
    expect(sent).toBeLessThan(10)
  })

  it('returns no server error for any random JSON body', async () => {
    const paths = [
      '/signup',
      '/token?grant_type=password',
      '/token?grant_type=refresh_token',
      '/token?grant_type=none',
    ]
    const member = fc.oneof(fc.jsonValue(), fc.string({ unit: 'binary' }), fc.constant('a@example.com'))
    const body = fc.record(
      { email: member, password: member, data: member, refresh_token: member, phone: member },
      { requiredKeys: [] },
    )

    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...paths), fc.oneof(body, fc.jsonValue()), async (path, value) => {
        expect((await post(path, JSON.stringify(value))).status).toBeLessThan(500)
      }),
      runs(150),
    )
  })
})

describe('unknown paths', () => {
  it('returns 404 in the auth service’s error format for an unknown path', async () => {
    const answer = await post('/authorize', '{}', { 'x-supabase-api-version': '2024-01-01' })

    expect(answer.status).toBe(404)
    expect(await answer.json()).toMatchObject({ code: 'route_not_found' })
  })
})

it('creates no account when the application’s database trigger fails', async () => {
  await auth.database.owner.query(`
    create function public.refuse() returns trigger language plpgsql as $$ begin raise exception 'no profile'; end $$;
    create trigger refuse after insert on auth.users for each row
      when (new.email = 'unlucky@example.com') execute function public.refuse()`)

  const answer = await post(
    '/signup',
    JSON.stringify({ email: 'unlucky@example.com', password: 'salt-water' }),
  )

  expect(answer.status).toBe(500)
  expect(await answer.json()).toMatchObject({
    error_code: 'unexpected_failure',
    msg: 'Database error saving new user',
  })
  const left = await auth.database.owner.query(`select from auth.users where email = 'unlucky@example.com'`)
  expect(left.rowCount).toBe(0)
})
