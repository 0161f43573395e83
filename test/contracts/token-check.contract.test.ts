import { createClient } from '@supabase/supabase-js'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { openShop, type TestShop } from '#test/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(async () => {
  vi.useRealTimers()
  await shop.close()
})

async function aToken(): Promise<{
  token: string
  check: TestShop['client'] extends () => infer C ? C : never
}> {
  const { client } = await shop.signUp()
  const { data } = await client.auth.getSession()
  return { token: data.session?.access_token ?? '', check: shop.client() }
}

it('accepts a token that the shop’s keys signed', async () => {
  const { token, check } = await aToken()

  const { data, error } = await check.auth.getClaims(token)

  expect(error).toBeNull()
  expect(data?.claims.role).toBe('authenticated')
})

// covers S5.20
it('reports an invalid signature for a manipulated session token', async () => {
  const { token, check } = await aToken()
  const [header, , signature] = token.split('.')
  const claims = Buffer.from(JSON.stringify({ sub: 'somebody else', exp: 9_999_999_999 })).toString(
    'base64url',
  )

  const { error } = await check.auth.getClaims(`${header}.${claims}.${signature}`)

  expect(error?.message).toBe('Invalid JWT signature')
})

// covers S5.20
it('rejects an expired token unless the caller allows expired tokens', async () => {
  const { token, check } = await aToken()
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 7 * 86_400_000 })

  const refused = await check.auth.getClaims(token).catch((error: Error) => ({ error }))
  const allowed = await check.auth.getClaims(token, { allowExpired: true })

  vi.useRealTimers()
  expect(refused.error?.message).toBe('JWT has expired')
  expect(allowed.error).toBeNull()
})

// covers S5.21
it('throws when a client is created without an API key', () => {
  expect(() => createClient(shop.settings.publicUrl, '')).toThrow('supabaseKey is required')
})

// covers S4.5
it('returns no assurance level without a session', async () => {
  const { data } = await shop.client().auth.mfa.getAuthenticatorAssuranceLevel()

  expect(data).toMatchObject({ currentLevel: null, nextLevel: null })
})
