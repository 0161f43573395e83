import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { installStorage } from '#test/browser-storage.ts'
import { openShop, PASSWORD, type TestShop } from '#test/shop.ts'
import { createClient } from './create-client.ts'

let shop: TestShop

beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000

/** The server refuses this token, as it refuses one that expired by its own clock. The session goes on. */
let expired: string | undefined

async function sendToShop(input: RequestInfo, init?: RequestInit) {
  const request = new Request(input, init)
  if (expired && request.headers.get('authorization') === `Bearer ${expired}`)
    request.headers.set('authorization', 'Bearer no.longer.valid')
  return shop.fetch(request)
}

const callShop = vi.fn(sendToShop)

beforeEach(() => {
  installStorage()
  expired = undefined
  vi.stubGlobal('fetch', callShop.mockImplementation(sendToShop))
})

async function signedInBrowser() {
  const { email, userId } = await shop.signUp()
  const client = createClient(new URL(shop.settings.publicUrl), shop.keys.publishable)
  const { data } = await client.auth.signInWithPassword({ email, password: PASSWORD })
  callShop.mockClear()
  return { email, userId, client, token: data.session?.access_token }
}

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

it.each([
  ['session', 'delete from auth.sessions where user_id = $1'],
  ['account', 'delete from auth.users where id = $1'],
])('signs out the browser whose %s has ended, with one check for parallel requests', async (_what, end) => {
  const { client, userId } = await signedInBrowser()
  await shop.database.owner.query(end, [userId])

  const answers = await Promise.all([1, 2, 3].map(() => client.from('profiles').select('id')))

  expect(answers.map(({ status }) => status)).toEqual([401, 401, 401])
  expect((await client.auth.getSession()).data.session).toBeNull()
  const [refused, check, signOut] = [3, 1, 1]
  expect(callShop).toHaveBeenCalledTimes(refused + check + signOut)
  expect((await client.from('products').select('id').limit(1)).status).toBe(200)
})

it('signs out the browser whose ended session a server function refuses', async () => {
  const { client, userId } = await signedInBrowser()
  await shop.database.owner.query('delete from auth.sessions where user_id = $1', [userId])

  expect((await client.functions.invoke('send-contact')).error?.name).toBe('FunctionsRelayError')
  expect((await client.auth.getSession()).data.session).toBeNull()
})

it('repeats refused requests once with a new token while the session lasts', async () => {
  const { client, userId, token } = await signedInBrowser()
  expired = token

  const rows = await Promise.all([1, 2].map(() => client.from('profiles').select('id').throwOnError()))

  expect(rows.map(({ data }) => data)).toEqual([[{ id: userId }], [{ id: userId }]])
  const [refused, refresh, repeated] = [2, 1, 2]
  expect(callShop).toHaveBeenCalledTimes(refused + refresh + repeated)
})

/** Answers the first refresh of a session in place of the shop. */
function refuseRefresh(status: number, error_code: string) {
  const refusal = Response.json({ code: status, error_code, msg: '' }, { status })
  const refresh = /token\?grant_type=refresh_token$/
  callShop.mockImplementation(async (input, init) => {
    if (!refresh.test(new Request(input).url)) return sendToShop(input, init)
    callShop.mockImplementation(sendToShop)
    return refusal
  })
}

it('repeats a refresh that a rate limit refused, and keeps the session whose token has expired', async () => {
  const { client, userId } = await signedInBrowser()
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * HOUR_MS })
  refuseRefresh(429, 'over_request_rate_limit')

  expect((await client.from('profiles').select('id').throwOnError()).data).toEqual([{ id: userId }])
  expect((await client.auth.getSession()).data.session?.user.id).toBe(userId)
})

it.each([
  ['gets no answer', () => Promise.reject(new TypeError('fetch failed'))],
  ['meets a rate limit', async () => new Response(null, { status: 429 })],
  ['meets an overloaded shop', async () => new Response(null, { status: 503 })],
])('calls nothing as a visitor while the refresh of a customer’s session %s', async (_what, fail) => {
  const { client, userId } = await signedInBrowser()
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * HOUR_MS })
  const sent: string[] = []
  callShop.mockImplementation((input, init) => {
    sent.push(new URL(new Request(input, init).url).pathname)
    // The client repeats a refresh for half a minute, and then keeps its failure for a minute.
    vi.setSystemTime(Date.now() + MINUTE_MS)
    return fail()
  })

  expect((await client.from('profiles').select('id').retry(false)).status).toBe(0)
  expect((await client.functions.invoke('send-contact')).error?.name).toBe('FunctionsFetchError')
  expect(new Set(sent)).toEqual(new Set(['/auth/v1/token']))

  vi.setSystemTime(Date.now() + 2 * MINUTE_MS)
  callShop.mockImplementation(sendToShop)
  expect((await client.from('profiles').select('id').throwOnError()).data).toEqual([{ id: userId }])
})

it('keeps the session when the check of a refused token does not say that it has ended', async () => {
  const { client, token } = await signedInBrowser()
  expired = token
  refuseRefresh(403, 'request_refused')

  expect((await client.from('profiles').select('id')).status).toBe(401)
  expect((await client.auth.getSession()).data.session).not.toBeNull()
})

it('does not repeat a refused request as another user who has signed in meanwhile', async () => {
  const { client, token } = await signedInBrowser()
  const next = await signedInBrowser()
  expired = token
  vi.stubGlobal('fetch', async (input: RequestInfo, init?: RequestInit) => {
    const response = await callShop(input, init)
    if (response.status === 401)
      await client.auth.signInWithPassword({ email: next.email, password: PASSWORD })
    return response
  })

  expect((await client.from('profiles').select('id')).status).toBe(401)
  expect((await client.auth.getSession()).data.session?.user.id).toBe(next.userId)
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
