import type { SupabaseClient } from '@supabase/supabase-js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { openShop, type Person, type TestShop } from '#test/shop.ts'
import { orderRow } from '#test/shopping.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

describe('server functions', () => {
  it('rate-limits anonymous function calls per network address', async () => {
    const responses = await Promise.all(Array.from({ length: 130 }, callAsVisitor))
    const refused = responses.filter(({ status }) => status === 429)

    // Two calls are credited per minute, so a slow run may see a few more accepted.
    expect(refused.length).toBeGreaterThanOrEqual(7)
    expect(refused.length).toBeLessThanOrEqual(10)
    expect(await refused[0]?.json()).toMatchObject({ code: 'too_many_sent' })
  })

  it('rate-limits function calls per account', async () => {
    const [one, other] = [await shop.signUp(), await shop.signUp()]
    await exhaust('function', one)

    expect((await callAs(one)).error?.context?.status).toBe(429)
    expect((await callAs(other)).error?.context?.status).toBe(404)
  })

  it('rate-limits calls to URL paths below a function', async () => {
    const person = await shop.signUp()
    await exhaust('function', person)

    const { error } = await person.client.functions.invoke('update-order-status/below', { body: {} })

    expect(error?.context?.status).toBe(429)
  })

  it('does not rate-limit function calls with the secret key', async () => {
    const responses = await Promise.all(
      Array.from({ length: 130 }, () =>
        shop.serviceClient().functions.invoke('update-order-status', { body: { orderId: 'none' } }),
      ),
    )

    expect(new Set(responses.map(({ error }) => error?.context?.status))).toEqual(new Set([400]))
  })
})

describe('database functions', () => {
  it('rate-limits order placement per account', async () => {
    const buyer = await shop.signUp()
    await exhaust('place_order', buyer)

    const { error, status } = await buyer.client.rpc('place_order', {
      idempotency_key: crypto.randomUUID(),
      delivery: {},
      expected_total: 1,
    })

    expect({ status, details: error?.details }).toEqual({ status: 429, details: 'too_many_sent' })
  })

  it('counts drafts that an account inserts into orders towards the limit of place_order', async () => {
    const buyer = await shop.signUp()
    const client: SupabaseClient = buyer.client
    const draft = () => orderRow(buyer.userId, { total: 210, shipping: 100 })
    const write = (rows: number) => client.from('orders').insert(Array.from({ length: rows }, draft))

    expect((await write(15)).error).toBeNull()
    expect(await levelOf('place_order', buyer)).toBeGreaterThan(14)
    await exhaust('place_order', buyer)

    const { error, status } = await write(1)
    expect({ status, details: error?.details }).toEqual({ status: 429, details: 'too_many_sent' })
  })

  it('rate-limits changes of the consent to news per account, because each is kept', async () => {
    const customers = [await shop.signUp(), await shop.signUp()] as const
    for (const customer of customers) await shop.verifyMailbox(customer)

    const answers = await Promise.all(Array.from({ length: 70 }, (_, at) => changeConsent(customers[0], at)))

    expect(answers.filter(({ error }) => error?.details === 'too_many_sent').length).toBeOneOf([9, 10])
    expect((await changeConsent(customers[1], 0)).error).toBeNull()
  })

  it('rate-limits stock alert requests per network address', async () => {
    const responses = await Promise.all(Array.from({ length: 70 }, requestStockAlert))

    expect(responses.filter(({ status }) => status === 429).length).toBeOneOf([9, 10])
    expect(responses.filter(({ status }) => status === 404).length).toBeOneOf([60, 61])
  })

  it('does not rate-limit read-only calls of an account', async () => {
    const buyer = await shop.signUp()

    const responses = await Promise.all(Array.from({ length: 150 }, () => buyer.client.rpc('quote_cart')))

    expect(responses.filter(({ status }) => status !== 200)).toEqual([])
  })
})

const changeConsent = ({ client }: Person, at: number) =>
  client.rpc('set_marketing_consent', { is_given: at % 2 === 0, wording: 'News, please.' })

/** Uses up the account's rate limit. */
async function exhaust(bucket: string, { userId }: Person): Promise<void> {
  await shop.database.owner.query(
    `insert into auth.rate_limits (bucket, subject, level, updated_at) values ($1, $2, 600, now())
     on conflict (bucket, subject) do update set level = excluded.level, updated_at = excluded.updated_at`,
    [bucket, userId],
  )
}

async function levelOf(bucket: string, { userId }: Person): Promise<number> {
  const { rows } = await shop.database.owner.query(
    'select level from auth.rate_limits where bucket = $1 and subject = $2',
    [bucket, userId],
  )
  return Number(rows[0]?.level)
}

function callAsVisitor() {
  const headers = { apikey: shop.keys.publishable }
  return shop.fetch('/functions/v1/send-contact-notification', { method: 'POST', headers, body: '{}' })
}

function callAs({ client }: Person) {
  return client.functions.invoke('update-order-status', { body: { orderId: crypto.randomUUID() } })
}

function requestStockAlert() {
  return shop.client().rpc('request_stock_alert', { variant: crypto.randomUUID(), email: 'a@example.com' })
}
