import { randomUUID } from 'node:crypto'
import { createClient } from '@supabase/supabase-js'
import type { ShopClient, ShopDatabase, TablesInsert } from '#database'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type DatabasePools, filesOf } from '@saltfreak/backend'
import { loadClientKeys, openDatabase } from '@saltfreak/backend/testing'
import { type CountingProxy, openCountingProxy } from '#test/counted-round-trips.ts'
import { shopDatabase, type TestDatabase } from '#test/database.ts'
import { delivery, popper, stickBait } from '#test/shopping.ts'
import { createApi } from './api.ts'
import { parseSettings } from './settings.ts'

let test: TestDatabase
let way: CountingProxy
let database: DatabasePools
let client: ShopClient
let userId: string

/** A signed-in customer of a shop whose database round trips are counted. */
beforeAll(async () => {
  test = await shopDatabase()
  way = await openCountingProxy(test.url)
  database = openDatabase(way.url)
  const settings = parseSettings({}, '/nowhere')
  const keys = await loadClientKeys(database.owner)
  const files = filesOf(settings.dataDir)
  const api = createApi({ settings, database, keys, files, log: pino({ level: 'silent' }) })
  client = createClient<ShopDatabase>(settings.publicUrl, keys.publishable, {
    auth: { persistSession: false, autoRefreshToken: false },
    global: {
      fetch: async (input, init) => api.fetch(new Request(input, init), { remoteAddress: '127.0.0.1' }),
    },
  })
  const email = `angler-${randomUUID()}@example.com`
  const { data, error } = await client.auth.signUp({ email, password: 'Correct-Horse-7' })
  if (error || !data.user) throw error ?? new Error('nobody signed up')
  userId = data.user.id
  // The first call reads the schema and opens the connection.
  await readCatalogue()
})

afterAll(async () => {
  await database.close()
  way.close()
  await test.close()
})

const readCatalogue = () =>
  client.from('products').select('id, name, price, product_variants(id, name)').throwOnError()
const putInCart = (line: Omit<TablesInsert<'cart_items'>, 'user_id'>) =>
  client
    .from('cart_items')
    .insert({ user_id: userId, ...line })
    .throwOnError()
const mergeLines = () =>
  client.rpc('merge_cart', { lines: [{ ...popper, id: randomUUID(), with_hooks: false }] }).throwOnError()
const changeQuantity = () =>
  client.from('cart_items').update({ quantity: 2 }).eq('user_id', userId).throwOnError()
const quote = () => client.rpc('quote_cart').throwOnError()
const emptyCart = () => client.from('cart_items').delete().eq('user_id', userId).throwOnError()

it.each([
  ['a catalogue read', readCatalogue],
  ['a line put into the cart', () => putInCart(stickBait)],
  ['lines merged into the cart', mergeLines],
  ['a quantity changed', changeQuantity],
  ['a quote', quote],
  ['the cart emptied', emptyCart],
])('needs one database round trip for %s', async (_, act) => {
  expect(await way.during(async () => act())).toBe(1)
})

it('places an order and counts the attempt in one database round trip', async () => {
  await putInCart(popper)
  const input = { idempotency_key: randomUUID(), delivery, expected_total: 210 }

  expect(await way.during(async () => client.rpc('place_order', input).throwOnError())).toBe(1)
})

it('refuses an order, and still counts the attempt, in one database round trip', async () => {
  await putInCart(stickBait)
  const input = { idempotency_key: randomUUID(), delivery, expected_total: 1 }
  const before = await triesLeft()

  expect(
    await way.during(async () => {
      const { error } = await client.rpc('place_order', input)
      expect(error?.details).toBe('price_changed')
    }),
  ).toBe(1)
  expect(await triesLeft()).toBeLessThan(before - 0.5)
  expect(await way.during(async () => quote())).toBe(1)
})

async function triesLeft(): Promise<number> {
  const { rows } = await test.database.owner.query(
    `select 120 - level as left from auth.rate_limits where bucket = 'place_order' and subject = $1`,
    [userId],
  )
  return rows[0].left
}
