import type { SupabaseClient } from '@supabase/supabase-js'
import { afterAll, beforeAll, expect, it } from 'vitest'

import { openShop, type TestShop } from '#test/shop.ts'
import { delivery } from '#test/shopping.ts'

/**
 * The attack: a select that returns the same rows or columns many times. In a catalogue of a hundred lures with twelve colours each, a
 * query of a hundred characters took half a gigabyte of memory.
 */

let shop: TestShop<SupabaseClient>
let callers: SupabaseClient[]
beforeAll(async () => {
  shop = await openShop()
  callers = [shop.client(), (await shop.signUp()).client, (await shop.admin()).client]
})
afterAll(() => shop.close())

const alternating = (levels: number) =>
  Array.from({ length: levels }).reduceRight<string>(
    (select, _, level) => `*,${level % 2 === 0 ? 'product_variants' : 'products'}(${select})`,
    '*',
  )
const times = (count: number, item: string) =>
  Array.from({ length: count }, (_, at) => `a${at}:${item}`).join(',')

it.each([
  ['embeds rows in three levels', alternating(3)],
  ['embeds seven resources', times(7, 'product_variants(id)')],
  ['embeds seven resources in two levels', `product_variants(${times(6, 'products(name)')})`],
  ['names a column four times', times(4, 'description')],
  ['names a column of embedded rows four times', `product_variants(${times(4, 'image_url')})`],
  ['names a column four times with different casts', `${times(3, 'description')},description::varchar`],
])('refuses a select that %s, with and without an account', async (_multiplies, select) => {
  const answers = await Promise.all(callers.map((client) => client.from('products').select(select)))

  expect(answers.map(({ status, error }) => [status, error?.code])).toEqual(
    callers.map(() => [400, 'PGRST100']),
  )
})

it('refuses a written row and the result of a function that name a column four times', async () => {
  const { client } = await shop.signUp()

  const written = await client
    .from('profiles')
    .update({ city: 'Durban' })
    .eq('city', 'none')
    .select(times(4, 'address'))
  const ordered = await client
    .rpc('place_order', { idempotency_key: crypto.randomUUID(), delivery, expected_total: 210 })
    .select(times(4, 'notes'))

  expect([written.error?.code, ordered.error?.code]).toEqual(['PGRST100', 'PGRST100'])
})

it('returns two levels of embedded rows and a column by three names to everyone', async () => {
  for (const client of callers) {
    const { error } = await client.from('products').select(`${alternating(2)},${times(3, 'name')}`)
    expect(error).toBeNull()
  }
})

it('does not limit the selects of the secret key', async () => {
  const { error } = await shop
    .serviceClient()
    .from('products')
    .select(`${alternating(3)},${times(4, 'name')}`)

  expect(error).toBeNull()
})
