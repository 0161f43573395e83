import type { SupabaseClient } from '@supabase/supabase-js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openShop, type Person, type TestShop } from '#test/shop.ts'
import { placeOrder } from '#test/shopping.ts'

let shop: TestShop<SupabaseClient>
let admin: Person<SupabaseClient>
let customer: Person<SupabaseClient>
let revoked: Person<SupabaseClient>
beforeAll(async () => {
  shop = await openShop()
  admin = await shop.admin()
  customer = await shop.signUp()
  revoked = await shop.admin()
  // The session began as an admin's and outlives the role.
  await shop.database.owner.query('delete from public.user_roles where user_id = $1', [revoked.userId])
})
afterAll(() => shop.close())

const PERIOD = { from_day: '2026-11-01', to_day: '2026-11-30', zone: 'Africa/Johannesburg' }
const NOBODYS = '00000000-0000-4000-8000-000000000000'

const CALLS: Record<string, object> = {
  search_orders: { term: 'mokoena' },
  set_order_statuses: { order_ids: [NOBODYS], status: 'cancelled' },
  email_buyers: { order_ids: [NOBODYS], subject: 'Holidays', message: 'At the coast.' },
  sales_by_day: PERIOD,
  sales_by_product: PERIOD,
  sales_by_variant: PERIOD,
  sales_by_province: PERIOD,
  unsold_variants: PERIOD,
  total_revenue: {},
  quote_staff_order: { lines: [] },
  place_staff_order: { idempotency_key: NOBODYS, wanted: {} },
  record_payment: { order_id: NOBODYS, way: 'cash' },
  guess_courier: { waybill: 'TCG12345678' },
}

describe.each(Object.entries(CALLS))('%s', (name, parameters) => {
  it.each([
    ['a visitor', () => shop.client()],
    ['a customer', () => customer.client],
    ['a revoked admin', () => revoked.client],
  ])('rejects an admin list call by %s', async (_who, caller) => {
    const { data, error } = await caller().rpc(name, parameters)

    expect(data).toBeNull()
    expect(error?.code).toBe('42501')
  })
})

it('stores list views and columns only for the admin who saves them', async () => {
  const brother = await shop.admin()
  const kept = await admin.client
    .from('saved_views')
    .insert({ list: 'orders', name: 'Up north', address: '?province=Limpopo' })
  await admin.client
    .from('list_settings')
    .upsert({ list: 'orders', hidden_columns: ['Tracking'], density: 'compact' })

  const [own, his, hers] = await Promise.all(
    [admin, brother, revoked].map(({ client }) => client.from('saved_views').select('name')),
  )

  expect(kept.error).toBeNull()
  expect(own?.data).toEqual([{ name: 'Up north' }])
  expect(his?.data).toEqual([])
  expect(hers?.data).toEqual([])
  const settings = await admin.client.from('list_settings').select('hidden_columns, density').single()
  expect(settings.data).toEqual({ hidden_columns: ['Tracking'], density: 'compact' })
})

it('finds and counts orders by lure, day and province together', async () => {
  const order = await placeOrder(await shop.signUp())
  await shop.database.owner.query('select private.mark_order_paid($1, $2)', [
    order.id,
    '2026-11-21T10:00:00Z',
  ])

  const { data, count } = await admin.client
    .rpc('search_orders', { term: 'stick bait', at_most: 1_000_000 }, { get: true, count: 'exact' })
    .select('id, order_items!inner()')
    .filter('status', 'in', '(new,pending)')
    .eq('shipping_state', 'KwaZulu-Natal')
    .eq('order_items.product_variant', 'Blue Reaper')
    .gte('paid_at', '2026-11-20T22:00:00Z')
    .lt('paid_at', '2026-11-21T22:00:00Z')
    .order('created_at', { ascending: false })
    .range(0, 49)

  expect(count).toBe(1)
  expect(data).toMatchObject([{ id: order.id }])
})
