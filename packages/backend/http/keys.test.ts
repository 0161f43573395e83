import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createKeyRing, isLegacyToken, isOpaqueKey, verifyLegacyToken } from './keys.ts'

const KEYS = { publishable: 'sb_publishable_one', secret: 'sb_secret_two' }
const SECRET = 'a-secret-that-is-at-least-32-bytes-long'
const KEY = new TextEncoder().encode(SECRET)
const now = () => Date.now() / 1000

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
/** Signs any header and claims, also those that a library would refuse. */
function signed(claims: unknown, header: object = { alg: 'HS256' }, secret = SECRET): string {
  const text = `${part(header)}.${part(claims)}`
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`
}
const refusal = (token: string) => verifyLegacyToken(token, KEY).then(String, (error) => error.code)

describe('keys', () => {
  it('gives a key its role, and an unknown key or a part of a known one none', async () => {
    const roleOf = createKeyRing(KEYS)

    expect(await roleOf(KEYS.publishable)).toBe('anon')
    expect(await roleOf(KEYS.secret)).toBe('service_role')
    for (const key of [
      '',
      'sb_publishable_on',
      'sb_publishable_onf',
      'sb_secret_two2',
      signed({ role: 'anon' }),
    ])
      expect(await roleOf(key), key).toBeNull()
  })

  it('accepts a legacy key for the visitor’s and the service role only', async () => {
    const roleOf = createKeyRing(KEYS, SECRET)

    expect(await roleOf(signed({ role: 'anon' }))).toBe('anon')
    expect(await roleOf(signed({ role: 'service_role' }))).toBe('service_role')
    for (const claims of [{}, { role: '' }, { role: 'authenticated' }, { role: 'postgres' }])
      expect(await roleOf(signed(claims)), JSON.stringify(claims)).toBeNull()
    expect(await roleOf(signed({ role: 'anon' }, undefined, 'another secret'))).toBeNull()
    expect(await roleOf('not a token')).toBeNull()
  })

  it('tells keys, legacy tokens and other tokens apart', () => {
    expect([KEYS.publishable, KEYS.secret].every(isOpaqueKey)).toBe(true)
    expect(isOpaqueKey(`x${KEYS.publishable}`)).toBe(false)
    expect(isLegacyToken(signed({}))).toBe(true)
    expect(isLegacyToken(signed({}, { alg: 'ES256' }))).toBe(false)
    expect(isLegacyToken(KEYS.secret)).toBe(false)
  })
})

describe('a legacy token', () => {
  it('accepts a legacy token between its times, or without any', async () => {
    const claims = { role: 'authenticated', exp: now() + 60, nbf: now() - 60 }

    expect(await verifyLegacyToken(signed(claims), KEY)).toEqual(claims)
    expect(await verifyLegacyToken(signed({ sub: 'u1' }), KEY)).toEqual({ sub: 'u1' })
  })

  it.each([
    ['has expired', signed({ exp: now() - 1 }), 'ERR_JWT_EXPIRED'],
    ['is not valid yet', signed({ nbf: now() + 60 }), 'ERR_JWT_CLAIM_VALIDATION_FAILED'],
    ['has a time that is no number', signed({ exp: '9999999999' }), 'ERR_JWT_INVALID'],
    ['starts at a time that is no number', signed({ nbf: '1' }), 'ERR_JWT_INVALID'],
    [
      'is signed with another secret',
      signed({}, undefined, 'another'),
      'ERR_JWS_SIGNATURE_VERIFICATION_FAILED',
    ],
    ['has no signature', signed({}).replace(/[^.]+$/, ''), 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED'],
    ['names another algorithm', signed({}, { alg: 'none' }), 'ERR_JWS_INVALID'],
    ['demands an extension', signed({}, { alg: 'HS256', crit: ['b64'] }), 'ERR_JWS_INVALID'],
    ['has further parts', `${signed({})}.more.parts`, 'ERR_JWS_INVALID'],
  ])('refuses a legacy token that %s', async (_, token, code) => {
    expect(await refusal(token)).toBe(code)
  })
})
