import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { installStorage } from '#test/browser-storage.ts'
import { openShop, PASSWORD, type TestShop } from '#test/shop.ts'
import { createClient } from './create-client.ts'

let shop: TestShop

beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())
afterEach(() => vi.restoreAllMocks())

beforeEach(() => {
  installStorage()
  vi.stubGlobal('fetch', (input: RequestInfo, init?: RequestInit) => shop.fetch(new Request(input, init)))
})

it('calls tables, functions and the account as the customer who signs in, and as a visitor after the sign-out', async () => {
  const { email, userId } = await shop.signUp()
  const client = createClient(new URL(shop.settings.publicUrl), shop.keys.publishable)
  const ownRows = async () => (await client.from('profiles').select('id').throwOnError()).data

  const { error } = await client.auth.signInWithPassword({ email, password: PASSWORD })
  expect(error).toBeNull()
  expect(await ownRows()).toEqual([{ id: userId }])
  expect((await client.rpc('quote_cart').throwOnError()).data.lines).toEqual([])
  expect((await client.auth.getUser()).data.user?.id).toBe(userId)

  await client.auth.signOut({ scope: 'local' })
  expect((await client.rpc('quote_cart')).error).not.toBeNull()
  expect((await client.from('products').select('id').limit(1).throwOnError()).data).toHaveLength(1)
})

it('ends a call that gets no answer within a minute, and does not repeat the call', async () => {
  const late = AbortSignal.abort(new DOMException('', 'TimeoutError'))
  const limited = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(late)
  const send = vi.fn((_input: RequestInfo, init?: RequestInit) =>
    init?.signal === late ? Promise.reject(late.reason) : new Promise(() => undefined),
  )
  vi.stubGlobal('fetch', send)
  const client = createClient(new URL(shop.settings.publicUrl), shop.keys.publishable)
  const email = 'late@example.com'

  expect((await client.from('products').select('id')).status).toBe(0)
  expect((await client.functions.invoke('send-contact')).error?.name).toBe('FunctionsFetchError')
  expect((await client.auth.resetPasswordForEmail(email)).error?.status).toBe(0)
  expect(send).toHaveBeenCalledTimes(3)
  expect(new Set(limited.mock.calls.flat())).toEqual(new Set([60_000]))
})
