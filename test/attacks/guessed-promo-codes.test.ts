import { afterAll, beforeAll, expect, it } from 'vitest'

import { openShop, PASSWORD, type TestShop } from '#test/shop.ts'
import { delivery } from '#test/shopping.ts'
import { callsFrom, countStatuses } from './from-address.ts'

/** The attack: create a new account for every few guesses, because one account may guess only twenty codes. */
let shop: TestShop
beforeAll(async () => {
  shop = await openShop({ trustProxy: 1 })
})
afterAll(() => shop.close())

const GUESSES_PER_ACCOUNT = 15

/** The token of a new account. */
async function anAccount(from: string): Promise<string> {
  const body = { email: `guesser-${crypto.randomUUID()}@example.com`, password: PASSWORD }
  const answer = await callsFrom(shop, from)('/auth/v1/signup', { body })
  return (await answer.json()).access_token
}

function ask(from: string, token: string, code: string) {
  return callsFrom(shop, from)('/rest/v1/rpc/validate_promo_code', { token, body: { code_input: code } })
}

async function guessWithFreshAccounts(from: string, accounts: number): Promise<Response[]> {
  const tokens = await Promise.all(Array.from({ length: accounts }, () => anAccount(from)))
  const answers = tokens.map(async (token, account) => {
    const codes = Array.from({ length: GUESSES_PER_ACCOUNT }, (_, at) => `GUESS-${account}-${at}`)
    return Promise.all(codes.map((code) => ask(from, token, code)))
  })
  return (await Promise.all(answers)).flat()
}

it('rejects further promo codes from a network after a hundred wrong codes across all accounts', async () => {
  const answers = await guessWithFreshAccounts('198.51.100.1', 8)

  expect(countStatuses(answers)).toEqual({ 200: 100, 429: 20 })
  const right = await ask('198.51.100.1', await anAccount('198.51.100.1'), '5OFFFIRST')
  expect(right.status).toBe(429)
  expect(await right.json()).toMatchObject({ details: 'too_many_codes' })
  const fromOtherNetwork = await ask('198.51.100.2', await anAccount('198.51.100.2'), '5OFFFIRST')
  expect(fromOtherNetwork.status).toBe(200)
})

it('counts promo code guesses of one IPv6 network together and ignores addresses in headers', async () => {
  await guessWithFreshAccounts('2001:db8:7:7::1', 7)
  const token = await anAccount('2001:db8:7:7::2')

  const forged = await callsFrom(shop, '2001:db8:7:7::2')('/rest/v1/rpc/validate_promo_code', {
    token,
    body: { code_input: '5OFFFIRST' },
    headers: { 'request.network': '192.0.2.9', 'X-Network': '192.0.2.9' },
  })

  expect(forged.status).toBe(429)
})

it('does not count valid promo codes or a repeated wrong code as guesses', async () => {
  const from = '198.51.100.4'
  const token = await anAccount(from)
  const codes = Array.from({ length: 220 }, (_, at) => (at % 2 ? '5OFFFIRST' : 'oops'))

  const answers = await Promise.all(codes.map((code) => ask(from, token, code)))

  expect(countStatuses(answers)).toEqual({ 200: 220 })
})

const orderWith = (promo: object) => ({
  idempotency_key: crypto.randomUUID(),
  delivery,
  expected_total: 1,
  ...promo,
})

it('rate-limits orders with promo codes by network, so refused orders cannot hide guesses', async () => {
  const from = '198.51.100.5'
  await shop.database.owner.query(
    `insert into auth.rate_limits (bucket, subject, level) values ('promo order', $1, 400)`,
    [from],
  )
  const token = await anAccount(from)
  const call = async (body: object) => {
    const answer = await callsFrom(shop, from)('/rest/v1/rpc/place_order', { token, body })
    return [answer.status, (await answer.json()).details]
  }
  const order = (promo: object) => call(orderWith(promo))

  expect(await order({ promo_code: 'GUESS' })).toEqual([429, 'too_many_sent'])
  // The data service calls the function with the first row of an array.
  expect(await call([orderWith({ promo_code: 'GUESS' })])).toEqual([429, 'too_many_sent'])
  expect(await order({ promo_code: null })).not.toEqual([429, 'too_many_sent'])
  expect(await order({})).not.toEqual([429, 'too_many_sent'])
})
