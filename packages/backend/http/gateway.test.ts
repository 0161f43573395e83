import { Hono } from 'hono'
import { SignJWT } from 'jose'
import { beforeEach, describe, expect, it, vi } from 'vitest'

import { allowOrigins } from './cors.ts'
import { createGateway, type GatewayVariables } from './gateway.ts'

const KEYS = { publishable: 'sb_publishable_one', secret: 'sb_secret_two' }
const LEGACY_SECRET = 'a-secret-that-is-at-least-32-bytes-long'

let verified = 0

const verifyToken = async (token: string) => {
  verified += 1
  const [, payload = ''] = token.split('.')
  if (payload === 'expired') throw Object.assign(new Error('expired'), { code: 'token_expired' })
  if (payload === 'forged') throw Object.assign(new Error('forged'), { code: 'token_invalid' })
  if (payload === 'broken') throw new Error('the database does not answer')
  return JSON.parse(atob(payload))
}

function api(options: { legacySecret?: string } = {}) {
  const app = new Hono<{ Variables: GatewayVariables }>()
  app.use(allowOrigins(), createGateway({ keys: KEYS, verifyToken, ...options }))
  app.onError((error, c) => c.text(error.message, 500))
  app.get('/', (c) => c.json(c.get('caller')))
  return async (headers: Record<string, string>) => app.request('/', { headers })
}

const token = (claims: object) => `e30.${btoa(JSON.stringify(claims))}.x`
const legacy = (claims: Record<string, unknown>, secret = LEGACY_SECRET) =>
  new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(new TextEncoder().encode(secret))

const bearer = (text: string) => ({ apikey: KEYS.publishable, Authorization: `Bearer ${text}` })

beforeEach(() => {
  verified = 0
})

it('lets pages of other origins read counts, addresses and whether a function answered', async () => {
  const response = await api()({ apikey: KEYS.publishable })

  const exposed = response.headers.get('Access-Control-Expose-Headers')?.split(',')
  expect(exposed).toEqual(expect.arrayContaining(['Content-Range', 'Location', 'x-relay-error']))
})

describe('API keys', () => {
  it('derives the visitor’s or service role from the API key alone', async () => {
    const request = api()
    const visitor = { role: 'anon', claims: { role: 'anon' }, userId: null, token: null }

    expect(await (await request({ apikey: KEYS.publishable })).json()).toEqual(visitor)
    const repeated = await request({ apikey: KEYS.publishable, Authorization: `Bearer ${KEYS.publishable}` })
    expect(await repeated.json()).toEqual(visitor)
    const lured = await request({ apikey: KEYS.publishable, Authorization: `Bearer ${KEYS.secret}` })
    expect(await lured.json()).toEqual(visitor)
    expect(await (await request({ apikey: KEYS.secret })).json()).toMatchObject({ role: 'service_role' })
  })

  it('refuses requests with a missing or unknown API key', async () => {
    const request = api()

    const none = await request({ Authorization: `Bearer ${KEYS.publishable}` })
    expect([none.status, await none.json()]).toMatchObject([401, { message: 'No API key found in request' }])
    for (const apikey of [
      'sb_publishable_other',
      'sb_secret_other',
      'x',
      await legacy({ role: 'service_role' }),
    ]) {
      const unknown = await request({ apikey })
      expect([unknown.status, await unknown.json()]).toMatchObject([401, { message: 'Invalid API key' }])
    }
  })

  it('refuses the secret key when a browser sends the key', async () => {
    const response = await api()({ apikey: KEYS.secret, 'User-Agent': 'Mozilla/5.0 (X11; Linux) Chrome/140' })

    expect([response.status, await response.json()]).toMatchObject([
      401,
      { message: 'Forbidden use of secret API key in browser' },
    ])
  })

  it('accepts a legacy API key only if the legacy JWT secret is configured', async () => {
    const request = api({ legacySecret: LEGACY_SECRET })
    const apikey = await legacy({ role: 'service_role' })

    expect(await (await request({ apikey, Authorization: `Bearer ${apikey}` })).json()).toMatchObject({
      role: 'service_role',
    })
    expect(
      (
        await request({
          apikey: await legacy({ role: 'service_role' }, 'another-secret-of-32-bytes-or-more!'),
        })
      ).status,
    ).toBe(401)
    expect((await request({ apikey: await legacy({ role: 'postgres' }) })).status).toBe(401)
    const now = Math.floor(Date.now() / 1000)
    for (const times of [{ exp: now - 1 }, { nbf: now + 60 }, { exp: 'never' }]) {
      const key = await legacy(Object.assign({ role: 'anon' }, times))
      expect((await request({ apikey: key })).status).toBe(401)
    }
    expect((await request({ apikey: `${apikey}x` })).status).toBe(401)
    expect((await request({ apikey: `${apikey}.x` })).status).toBe(401)
  })
})

describe('access tokens', () => {
  it('identifies the caller by the access token rather than the API key', async () => {
    const mine = token({ sub: 'me', role: 'authenticated', aal: 'aal2' })

    expect(await (await api()(bearer(mine))).json()).toEqual({
      role: 'authenticated',
      claims: { sub: 'me', role: 'authenticated', aal: 'aal2' },
      userId: 'me',
      token: mine,
    })
    expect(await (await api()({ ...bearer(mine), apikey: KEYS.secret })).json()).toMatchObject({
      role: 'authenticated',
    })
  })

  it.each([
    ['a.expired.c', 'PGRST303', 'JWT expired'],
    ['a.forged.c', 'PGRST301', 'JWT cryptographic operation failed'],
    ['nonsense', 'PGRST301', 'Expected 3 parts in JWT; got 1'],
    [token({ sub: 'me', role: 'postgres' }), 'PGRST303', 'The JWT names a role that is not served'],
  ])('refuses the access token %s with the error %s', async (text, code, message) => {
    const response = await api()(bearer(text))

    expect(response.status).toBe(401)
    expect(await response.json()).toEqual({ code, message, details: null, hint: null })
    expect(response.headers.get('WWW-Authenticate')).toBe(
      `Bearer error="invalid_token", error_description="${message}"`,
    )
  })

  it('does not report a token as invalid when the database fails during the check', async () => {
    const response = await api()(bearer('a.broken.c'))

    expect([response.status, await response.text()]).toEqual([500, 'the database does not answer'])
  })

  it('caches a verified token until the token expires', async () => {
    const request = api()
    const lasting = token({ sub: 'me', role: 'authenticated', exp: Date.now() / 1000 + 60 })
    const over = token({ sub: 'me', role: 'authenticated', exp: Date.now() / 1000 - 1 })

    for (const text of [lasting, lasting, lasting, over, over]) await request(bearer(text))

    expect(verified).toBe(3)
  })

  it('verifies a cached access token again after a minute', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const request = api()
    const lasting = token({ sub: 'me', role: 'authenticated', exp: Date.now() / 1000 + 3600 })
    for (const seconds of [0, 59, 2, 57]) {
      vi.setSystemTime(Date.now() + seconds * 1000)
      await request(bearer(lasting))
    }
    vi.useRealTimers()

    expect(verified).toBe(2)
  })

  it('verifies a cached access token again after its expiry', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const request = api()
    const short = token({ sub: 'me', role: 'authenticated', exp: Date.now() / 1000 + 20 })
    for (const seconds of [0, 19, 2]) {
      vi.setSystemTime(Date.now() + seconds * 1000)
      await request(bearer(short))
    }
    vi.useRealTimers()

    expect(verified).toBe(2)
  })

  it('accepts a token that is signed with the configured legacy JWT secret', async () => {
    const old = await legacy({ sub: 'me', role: 'authenticated' })

    expect(await (await api({ legacySecret: LEGACY_SECRET })(bearer(old))).json()).toMatchObject({
      userId: 'me',
    })
    expect(verified).toBe(0)
  })
})

describe('cross-origin requests', () => {
  it('lets pages of other origins call the API and read the needed headers', async () => {
    const app = new Hono().use(allowOrigins()).get('/', (c) => c.text('ok'))

    const preflight = await app.request('/', {
      method: 'OPTIONS',
      headers: {
        Origin: 'https://elsewhere.test',
        'Access-Control-Request-Method': 'PATCH',
        'Access-Control-Request-Headers': 'apikey,x-retry-count',
      },
    })
    expect(preflight.status).toBe(204)
    expect(preflight.headers.get('Access-Control-Allow-Origin')).toBe('*')
    expect(preflight.headers.get('Access-Control-Allow-Headers')).toBe('apikey,x-retry-count')
    expect(preflight.headers.get('Vary')).toBe('Access-Control-Request-Headers')
    expect(preflight.headers.get('Access-Control-Allow-Methods')).toContain('PATCH')

    const read = await app.request('/', { headers: { Origin: 'https://elsewhere.test' } })
    expect(read.headers.get('Access-Control-Expose-Headers')).toContain('Content-Range')
    // Pages of other origins must not act with what the browser sends by itself.
    for (const { headers } of [preflight, read]) {
      expect(headers.get('Access-Control-Allow-Origin')).toBe('*')
      expect(headers.has('Access-Control-Allow-Credentials')).toBe(false)
    }
  })
})
