import type { SupabaseClient } from '@supabase/supabase-js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { revokedAdmin } from '#test/revoked-admin.ts'
import { openShop, type Person, type TestShop } from '#test/shop.ts'

let shop: TestShop
let admin: Person
let customer: Person
beforeAll(async () => {
  shop = await openShop()
  admin = await shop.admin()
  customer = await shop.signUp()
})
afterAll(() => shop.close())

const PEOPLE: Record<string, () => Promise<SupabaseClient>> = {
  'a visitor': async () => shop.client(),
  'a customer': async () => customer.client,
  'a revoked admin': () => revokedAdmin(shop),
}

const CALLS: [string, () => Record<string, unknown>][] = [
  ['try_promo_code', () => ({ terms: { code: 'FREE', discount_value: 100 }, cart_subtotal: 500 })],
]

/** Each with at least one row; the matrix of docs/access.md has all the others. */
const RECORDS = ['promo_code_results']

it.each(RECORDS)('an admin sees %s', async (table) => {
  const { data } = await admin.client.from(table).select('*')

  expect(data?.length).toBeGreaterThan(0)
})

describe.each(Object.entries(PEOPLE))('%s', (_who, comeIn) => {
  it.each(CALLS)('may not call %s', async (name, given) => {
    const { error } = await (await comeIn()).rpc(name, given())

    expect(error?.code).toBe('42501')
  })

  it.each(RECORDS)('sees nothing of %s', async (table) => {
    const { data } = await (await comeIn()).from(table).select('*')

    expect(data ?? []).toEqual([])
  })
})

it('promo codes are listed with their state and counted, and a saved one is tried with its uses', async () => {
  const { data: promo } = await admin.client
    .from('promo_codes')
    .insert({ code: 'gone', discount_type: 'fixed', discount_value: 50, expires_at: '2020-01-01' })
    .select()
    .single()

  const listed = await admin.client
    .from('promo_code_results')
    .select('code, state, revenue', { count: 'exact' })
    .eq('state', 'expired')
    .order('revenue', { ascending: false })
  const tried = await admin.client.rpc('try_promo_code', { terms: promo, cart_subtotal: 500 })

  expect(listed).toMatchObject({ count: 1, data: [{ code: 'GONE', state: 'expired', revenue: 0 }] })
  expect(tried.data).toMatchObject({ total: 600, message: 'This promo code has expired' })
})
