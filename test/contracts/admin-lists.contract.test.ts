import type { SupabaseClient } from '@supabase/supabase-js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ordersOf } from '#app/admin/clients/page/client-queries.ts'
import { linesOf } from '#app/admin/export/export-button.tsx'
import { ORDERS_FILE } from '#app/admin/orders/bulk-orders.ts'
import { ORDERS } from '#app/admin/orders/order-list.ts'
import { balancesOf, refundedCents } from '#app/admin/orders/order-money.ts'
import { paidRefunds } from '#app/admin/print/printed-orders.ts'
import { staffOrder } from '#domain/order.ts'
import { openShop, type Person, type TestShop } from '#test/shop.ts'
import { POPPER_150, STICK_BAIT } from '#test/product-names.ts'
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
  // Enough for an order of each test.
  await shop.database.owner.query(
    `update public.product_variants set stock_quantity = 100 where name = 'Blue Reaper'`,
  )
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

/** Places an order and marks it as paid so many days ago. */
async function paidDaysAgo(days: number) {
  const order = await placeOrder(await shop.signUp())
  const paidAt = new Date(Date.now() - days * 86_400_000)
  await shop.database.owner.query('select private.mark_order_paid($1, $2)', [order.id, paidAt])
  return order
}

/** The orders that the list shows an admin for a filter. */
async function listed(filters: Record<string, string>) {
  const { data, error } = await ORDERS.buildQuery(admin.client, { search: '', filters }).retry(false)
  if (error) throw error
  return data
}

it('lists an order as late when it was paid over three days ago, and not when it was paid today', async () => {
  const [late, fresh] = [await paidDaysAgo(4), await paidDaysAgo(0)]

  const ids = (await listed({ late: 'yes' })).map(({ id }) => id)

  expect(ids).toContain(late.id)
  expect(ids).not.toContain(fresh.id)
})

it('lists the orders of a province by the filter', async () => {
  const order = await paidDaysAgo(0)

  expect((await listed({ province: 'KwaZulu-Natal' })).map(({ id }) => id)).toContain(order.id)
  expect(await listed({ province: 'Limpopo' })).toEqual([])
})

/** Which of these orders the list shows an admin for a filter. */
async function shows<Name extends string>(
  filters: Record<string, string>,
  orders: Record<Name, { id: string }>,
) {
  const ids = new Set((await listed(filters)).map(({ id }) => id))
  return Object.entries<{ id: string }>(orders).flatMap(([name, { id }]) => (ids.has(id) ? [name] : []))
}

const change = (orderId: string, columns: string) =>
  shop.database.owner.query(`update public.orders set ${columns} where id = $1`, [orderId])

it('lists a shipped order neither as late nor as new, and a cancelled one not as earned', async () => {
  const orders = {
    unpaid: await placeOrder(await shop.signUp()),
    fresh: await paidDaysAgo(5),
    shipped: await paidDaysAgo(5),
    cancelled: await paidDaysAgo(5),
  }
  await change(orders.shipped.id, `status = 'shipped', tracking_number = 'KC-1'`)
  await change(orders.cancelled.id, `status = 'cancelled'`)

  expect(await shows({ late: 'yes' }, orders)).toEqual(['fresh'])
  expect(await shows({ status: 'new' }, orders)).toEqual(['fresh'])
  expect(await shows({ payment: 'unpaid' }, orders)).toEqual(['unpaid'])
  expect(await shows({ payment: 'paid' }, orders)).toEqual(['fresh', 'shipped', 'cancelled'])
  expect(await shows({ payment: 'earned' }, orders)).toEqual(['fresh', 'shipped'])
})

it('lists orders with the legacy status pending as new', async () => {
  const legacy = await paidDaysAgo(0)
  await shop.database.owner.query(
    `alter table public.orders disable trigger user;
     update public.orders set status = 'pending' where id = '${legacy.id}';
     alter table public.orders enable trigger user`,
  )

  expect(await shows({ status: 'new' }, { legacy })).toEqual(['legacy'])
})

it('lists a cancelled order as to refund until its money was refunded', async () => {
  const order = await paidDaysAgo(0)
  const paid = await payment(order.id, 'paid')
  await change(order.id, `status = 'cancelled'`)
  expect(await shows({ refund: 'due' }, { order })).toEqual(['order'])

  await refund(paid, 600)

  expect(await shows({ refund: 'due' }, { order })).toEqual([])
})

it('lists a parcel as not collected when it was shipped to a locker five days ago', async () => {
  const orders = { old: await paidDaysAgo(9), fresh: await paidDaysAgo(9), door: await paidDaysAgo(9) }
  const locker = `shipping_method = 'locker', locker_location = 'Spar', `
  await change(orders.old.id, `${locker} status = 'shipped', tracking_number = 'KC-1'`)
  await change(orders.fresh.id, `${locker} status = 'shipped', tracking_number = 'KC-2'`)
  await change(orders.door.id, `status = 'shipped', tracking_number = 'KC-3'`)
  await shop.database.owner.query(
    `update public.order_events set created_at = created_at - interval '6 days' where order_id = any ($1)`,
    [[orders.old.id, orders.door.id]],
  )

  expect(await shows({ uncollected: 'yes' }, orders)).toEqual(['old'])
  expect(await shows({ delivery: 'locker' }, orders)).toEqual(['old', 'fresh'])
})

it('does not list a locker parcel that was shipped again today, or under another number, as not collected', async () => {
  const orders = {
    waiting: await paidDaysAgo(9),
    again: await paidDaysAgo(9),
    renumbered: await paidDaysAgo(9),
  }
  const ids = Object.values(orders).map(({ id }) => id)
  await shop.database.owner.query(
    `update public.orders set shipping_method = 'locker', locker_location = 'Spar', status = 'shipped',
       tracking_number = 'KC-1' where id = any ($1)`,
    [ids],
  )
  await shop.database.owner.query(
    `update public.order_events set created_at = created_at - interval '6 days' where order_id = any ($1)`,
    [ids],
  )
  await change(orders.again.id, `status = 'processing'`)
  await change(orders.again.id, `status = 'shipped'`)
  await change(orders.renumbered.id, `tracking_number = 'KC-2'`)
  await shop.database.owner.query(
    `insert into public.order_events (order_id, kind, detail) values ($1, 'delivery_changed', '{}')`,
    [orders.waiting.id],
  )

  expect(await shows({ uncollected: 'yes' }, orders)).toEqual(['waiting'])
})

it('lists the orders that were paid on a South African day, from its first to its last minute', async () => {
  const orders = { before: await paidDaysAgo(0), first: await paidDaysAgo(0), last: await paidDaysAgo(0) }
  await change(orders.before.id, `paid_at = '2026-01-09T21:59:00Z'`)
  await change(orders.first.id, `paid_at = '2026-01-09T22:00:00Z'`)
  await change(orders.last.id, `paid_at = '2026-01-10T21:59:00Z'`)

  expect(await shows({ paid_from: '2026-01-10', paid_to: '2026-01-10' }, orders)).toEqual(['first', 'last'])
  expect(await shows({ paid_to: '2026-01-09' }, orders)).toEqual(['before'])
})

it('lists the orders of a lure in one colour', async () => {
  const order = await paidDaysAgo(0)

  expect(await shows({ lure: STICK_BAIT, colour: 'Blue Reaper' }, { order })).toEqual(['order'])
  expect(await shows({ lure: STICK_BAIT, colour: 'Mahi Mahi' }, { order })).toEqual([])
  expect(await shows({ lure: POPPER_150 }, { order })).toEqual([])
})

it('exports who gets an order, where it goes and what it costs', async () => {
  const order = await paidDaysAgo(0)
  await change(
    order.id,
    `customer_phone = '+27821234567', shipping_method = 'locker', locker_location = 'Spar', status = 'shipped', tracking_number = 'KC-1'`,
  )

  const rows = (await listed({ delivery: 'locker' })).filter(({ id }) => id === order.id)
  const [cells = []] = linesOf(ORDERS_FILE, rows.map(staffOrder))
  const file = Object.fromEntries(ORDERS_FILE.columns.map(([header], at) => [header, cells[at]]))

  expect(file).toMatchObject({
    Status: 'Shipped',
    Payment: 'paid',
    Customer: 'Thandi Mokoena',
    Email: 'thandi@example.com',
    Phone: '082 123 4567',
    Delivery: 'locker',
    Locker: 'Spar',
    Address: '14 Beach Road',
    City: 'Durban',
    Province: 'KwaZulu-Natal',
    'Postal code': '4001',
    Subtotal: '500.00',
    Shipping: '100.00',
    Total: '600.00',
    Tracking: 'KC-1',
  })
})

it('exports the amounts of an order with their cents', async () => {
  const order = await paidDaysAgo(0)
  await shop.database.owner.query(
    'update public.orders set discount_amount = 12.34, total_amount = 587.66 where id = $1',
    [order.id],
  )

  const rows = (await listed({ province: 'KwaZulu-Natal' })).filter(({ id }) => id === order.id)
  const [cells] = linesOf(ORDERS_FILE, rows.map(staffOrder))
  const headers = ORDERS_FILE.columns.map(([header]) => header)

  expect(cells?.[headers.indexOf('Discount')]).toBe('12.34')
  expect(cells?.[headers.indexOf('Total')]).toBe('587.66')
})

it('shows only the client’s own orders on a client’s page', async () => {
  const [own, other] = [await paidDaysAgo(0), await paidDaysAgo(0)]

  const { data } = await ordersOf(admin.client, own.customer_id ?? '')

  expect(data?.map(({ id }) => id)).toEqual([own.id])
  expect(other.customer_id).not.toBe(own.customer_id)
})

/** Records an EFT payment with this outcome. Returns its id. */
async function payment(orderId: string, outcome: 'paid' | 'paid_twice'): Promise<string> {
  const { rows } = await shop.database.owner.query<{ id: string }>(
    `insert into public.payments (order_id, amount_gross, outcome, way, recorded_by)
     values ($1, 600, $2, 'eft', gen_random_uuid()) returning id`,
    [orderId, outcome],
  )
  return rows[0]?.id ?? ''
}

async function refund(paymentId: string, amount: number) {
  const { data, error } = await admin.client.rpc('record_refund', {
    payment_id: paymentId,
    amount,
    reason: 'Chipped paint',
  })
  if (error) throw error
  return data
}

it('does not show an order as refunded when only a duplicate payment was refunded', async () => {
  const order = await paidDaysAgo(0)
  const [pays, duplicate] = [await payment(order.id, 'paid'), await payment(order.id, 'paid_twice')]
  const refunded = async () => {
    const { data } = await balancesOf(admin.client, [order.id]).throwOnError()
    return refundedCents({ totalCents: 600_00 }, data) / 100
  }

  await refund(duplicate, 600)
  expect(await refunded()).toBe(0)
  await refund(pays, 40)
  expect(await refunded()).toBe(40)
})

it('leaves a withdrawn refund out of an invoice', async () => {
  const order = await paidDaysAgo(0)
  const paid = await payment(order.id, 'paid')
  const mistake = await refund(paid, 100)
  await refund(paid, 40)
  const { error } = await admin.client.rpc('withdraw_refund', { refund_id: mistake.id, reason: 'By mistake' })

  const { data } = await paidRefunds(admin.client, [order.id])

  expect(error).toBeNull()
  expect(data).toMatchObject([{ order_id: order.id, amount: 40 }])
})
