import { afterAll, beforeAll, expect, it } from 'vitest'

import { openShop, type TestShop } from '#test/shop.ts'
import { popper } from '#test/shopping.ts'
import { callsFrom, countStatuses } from './from-address.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop({ trustProxy: 1 })
})
afterAll(() => shop.close())

it('rate-limits five contact messages in one call as five rows', async () => {
  const answers = await sendFives('192.0.2.1', (at) => ({
    name: 'Sipho',
    email: `sender-${at}@example.com`,
    subject: 'Hooks',
    message: 'Which hooks fit the 150?',
  }))

  // 60 rows an hour are 12 calls of five.
  expect(countStatuses(answers)).toEqual({ 201: 12, 429: 8 })
  expect(await answers.find(({ status }) => status === 429)?.json()).toMatchObject({
    code: 'PT429',
    details: 'too_many_sent',
  })
  expect(await countRows()).toBe(60)
})

it('rate-limits inserted rows even if the URL names the columns', async () => {
  const answers = await sendFives(
    '192.0.2.2',
    (at) => ({ email: `subscriber-${at}@example.com` }),
    '/rest/v1/newsletter_signups?columns=email',
  )

  expect(countStatuses(answers)).toEqual({ 201: 12, 429: 8 })
})

it('rate-limits lines that an account inserts into its cart as that many rows, also equal ones', async () => {
  expect((await insertLines(500)).status).toBe(201)
  const refused = await insertLines(5000)
  expect(refused.status).toBe(429)
  expect(await refused.json()).toMatchObject({ code: 'PT429', details: 'too_many_sent' })
})

async function insertLines(count: number): Promise<Response> {
  const { client } = await shop.signUp()
  const { data } = await client.auth.getSession()
  const path = '/rest/v1/cart_items?on_conflict=user_id,product_name,product_variant,with_hooks'
  return callsFrom(shop, '192.0.2.3')(path, {
    token: data.session?.access_token ?? '',
    headers: { Prefer: 'resolution=ignore-duplicates' },
    body: Array.from({ length: count }, () => popper),
  })
}

function sendFives(
  address: string,
  row: (at: number) => object,
  path = '/rest/v1/contact_submissions',
): Promise<Response[]> {
  const call = callsFrom(shop, address)
  return Promise.all(
    Array.from({ length: 20 }, (_, round) =>
      call(path, { body: Array.from({ length: 5 }, (__, at) => row(5 * round + at)) }),
    ),
  )
}

async function countRows(): Promise<number> {
  const { rows } = await shop.database.owner.query(
    'select count(*)::int as n from public.contact_submissions',
  )
  return rows[0].n
}
