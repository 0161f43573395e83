import { afterAll, beforeAll, expect, it, vi } from 'vitest'

import { openAuth, type TestAuth } from '#backend/testing/auth.ts'
import { rotateSigningKey } from './signing-keys.ts'
import { createTokenVerifier } from './token-verifier.ts'

let auth: TestAuth
let token: string

beforeAll(async () => {
  auth = await openAuth()
  const { data } = await auth.client().auth.signUp({ email: 'key@example.com', password: 'salt-water-42' })
  token = data.session?.access_token ?? ''
})
afterAll(() => auth.close())

it('accepts tokens signed before a key rotation and, after seconds, tokens signed afterwards', async () => {
  const verify = createTokenVerifier(auth.database.owner)
  await verify(token)
  await rotateSigningKey(auth.database.owner)
  const { data } = await auth.client().auth.signUp({ email: 'new@example.com', password: 'salt-water-42' })

  expect((await verify(token)).email).toBe('key@example.com')
  await vi.waitFor(
    async () => expect((await verify(data.session?.access_token ?? '')).email).toBe('new@example.com'),
    3_000,
  )
})

it('rejects tokens of a removed signing key after ten minutes', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const verify = createTokenVerifier(auth.database.owner)
  await verify(token)
  await auth.database.owner.query('delete from auth.signing_keys')
  vi.setSystemTime(Date.now() + 10 * 60_000 + 1)
  const late = verify(token)
  vi.useRealTimers()

  await expect(late).rejects.toMatchObject({ code: 'token_invalid' })
})
