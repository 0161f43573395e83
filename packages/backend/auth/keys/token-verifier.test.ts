import { decodeProtectedHeader } from 'jose'
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest'

import { openAuth, type TestAuth } from '#backend/testing/auth.ts'
import { loadPublicKeys, rotateSigningKey } from './signing-keys.ts'
import { createTokenSigner } from './token-signer.ts'
import { createTokenVerifier } from './token-verifier.ts'

let auth: TestAuth
let token: string

beforeAll(async () => {
  auth = await openAuth()
  const { data } = await auth.client().auth.signUp({ email: 'key@example.com', password: 'salt-water-42' })
  token = data.session?.access_token ?? ''
})
afterAll(() => auth.close())

it('rejects a token one second after its expiry', async () => {
  const sign = createTokenSigner(auth.database.owner)
  const seconds = Math.floor(Date.now() / 1000)
  const signed = (exp: number) => sign({ sub: crypto.randomUUID(), exp })
  const verify = createTokenVerifier(auth.database.owner)

  await expect(verify(await signed(seconds + 60))).resolves.toMatchObject({ exp: seconds + 60 })
  await expect(verify(await signed(seconds - 1))).rejects.toMatchObject({ code: 'token_expired' })
})

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

it('loads the keys once for many made-up key ids in the same second', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const verify = createTokenVerifier(auth.database.owner)
  await verify(token)
  const queries = vi.spyOn(auth.database.owner, 'query')
  onTestFinished(() => queries.mockRestore())
  const [, body, signature] = token.split('.')
  const verifyMadeUp = (kid: string) => {
    const head = Buffer.from(JSON.stringify({ alg: 'ES256', kid })).toString('base64url')
    return verify([head, body, signature].join('.'))
  }

  for (const kid of ['a', 'b', 'c'])
    await expect(verifyMadeUp(kid)).rejects.toMatchObject({ code: 'token_invalid' })
  expect(queries).toHaveBeenCalledTimes(0)

  vi.setSystemTime(Date.now() + 1_001)
  await expect(verifyMadeUp('d')).rejects.toMatchObject({ code: 'token_invalid' })
  const ofOneLoad = queries.mock.calls.length
  for (const kid of ['e', 'f'])
    await expect(verifyMadeUp(kid)).rejects.toMatchObject({ code: 'token_invalid' })
  expect(ofOneLoad).toBeGreaterThan(0)
  expect(queries).toHaveBeenCalledTimes(ofOneLoad)
})

it('signs with the new key a minute after another process has rotated the keys', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const sign = createTokenSigner(auth.database.owner)
  await sign({})
  const { kid } = await rotateSigningKey(auth.database.owner)

  vi.setSystemTime(Date.now() + 60_001)

  expect(decodeProtectedHeader(await sign({}))).toMatchObject({ kid })
})

it('publishes a retired signing key for eight days', async () => {
  const { owner } = auth.database
  const { kid } = await rotateSigningKey(owner)
  await rotateSigningKey(owner)
  const isPublishedAfter = async (days: number) => {
    await owner.query(
      'update auth.signing_keys set retired_at = now() - make_interval(days => $2) where kid = $1',
      [kid, days],
    )
    return (await loadPublicKeys(owner)).some((key) => key.kid === kid)
  }

  expect([await isPublishedAfter(7), await isPublishedAfter(8)]).toEqual([true, false])
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
