import type { SupabaseClient } from '@supabase/supabase-js'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { openShop, type Person, type TestShop } from '#test/shop.ts'
import { placeOrder } from '#test/shopping.ts'
import { diskCheck } from './health/checks/disk.ts'
import { OPTIONAL_WRITES } from './optional-writes.ts'

const GIGABYTE = 1e9
const disk = {
  freeBytes: GIGABYTE,
  totalBytes: 100 * GIGABYTE,
  level: 'critical' as 'ok' | 'low' | 'critical',
}
const spaceOf = async () => disk

let shop: TestShop
let external: TestShop
beforeAll(async () => {
  shop = await openShop({}, { spaceOf })
  external = await openShop({ databaseUrl: 'postgresql://db.example/shop' }, { spaceOf })
})
beforeEach(() => {
  disk.level = 'critical'
})
afterAll(async () => {
  await shop.close()
  await external.close()
})

async function statusOf(path: string, of = shop): Promise<number> {
  const headers = { apikey: of.keys.secret, 'content-type': 'application/json' }
  return (await of.fetch(path, { method: 'POST', headers, body: '{}' })).status
}

const statuses = (of: TestShop = shop) => Promise.all(OPTIONAL_WRITES.map((path) => statusOf(path, of)))

const MESSAGE = { name: 'Sipho', email: 'sipho@example.com', subject: 'Hooks', message: 'Which hooks fit?' }

it('refuses messages, photos, subscriptions, stock alerts, imports and mailings when orders would soon fail', async () => {
  const visitor = shop.client()

  const { status, error } = await visitor.from('contact_submissions').insert(MESSAGE)

  expect([status, error]).toEqual([
    507,
    {
      code: 'insufficient_storage',
      message: 'We can’t save this right now. Please try again later.',
      details: null,
      hint: null,
    },
  ])
  expect(new Set(await statuses())).toEqual(new Set([507]))
  expect(OPTIONAL_WRITES.toSorted()).toEqual([
    '/rest/v1/contact_submissions',
    '/rest/v1/gallery_submissions',
    '/rest/v1/newsletter_signups',
    '/rest/v1/rpc/email_buyers',
    '/rest/v1/rpc/import_catalogue',
    '/rest/v1/rpc/request_stock_alert',
  ])
})

it('still takes new accounts, carts and orders when optional writes are refused', async () => {
  const buyer: Person<SupabaseClient> = await shop.signUp()

  expect(await placeOrder(buyer)).toMatchObject({ status: 'pending_payment', total_amount: 600 })
})

it('lets staff read messages and decline photos when optional writes are refused', async () => {
  const { client } = await shop.admin()
  const declined = { status: 'declined' as const }

  const read = await client.from('contact_submissions').select()
  const changed = await client.from('gallery_submissions').update(declined).eq('customer_name', 'Sipho')
  expect([read.status, changed.status]).toEqual([200, 204])
})

it.for(['ok', 'low'] as const)('takes messages while the disk’s level is %s', async (level) => {
  disk.level = level

  expect((await shop.client().from('contact_submissions').insert(MESSAGE)).status).toBe(201)
  expect(await statuses()).not.toContain(507)
})

it('takes messages on a full disk that does not hold the database', async () => {
  expect(await statuses(external)).not.toContain(507)
})

async function messageOf({ settings }: TestShop): Promise<string> {
  return (await diskCheck(settings, spaceOf).check()).message
}

it('says which writes a full disk refuses', async () => {
  expect(await messageOf(shop)).toBe(
    'The disk is full: 1.0 of 100 GB are free. The shop only accepts accounts, orders and payments, and soon cannot save those either.',
  )
  expect(await messageOf(external)).toBe(
    'The disk is full: 1.0 of 100 GB are free. The shop accepts no new pictures.',
  )
  disk.level = 'low'
  expect(await messageOf(shop)).toBe(
    'The disk is almost full: 1.0 of 100 GB are free. The shop accepts no new pictures.',
  )
})
