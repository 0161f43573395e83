import type { SupabaseClient } from '@supabase/supabase-js'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { cancelOrder } from '#app/storefront/payment-cancelled/use-cancellation.ts'
import { openShop, type Person, type TestShop } from '#test/shop.ts'
import {
  delivery,
  itemRow,
  orderRow,
  placeOrder,
  popper,
  putInCart,
  stickBait,
  type Placed,
} from '#test/shopping.ts'

let shop: TestShop<SupabaseClient>
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

/** Places an order as the specified checkout does: inserts the order, then all its items. */
async function orderTableByTable({ client, userId }: Person<SupabaseClient>): Promise<Placed> {
  const { data: order, error } = await client
    .from('orders')
    .insert(orderRow(userId, { total: 820, shipping: 100 }))
    .select()
    .single<Placed>()
  if (error) throw error
  const items = await client
    .from('order_items')
    .insert([itemRow(order.id, stickBait), itemRow(order.id, { ...popper, quantity: 2 })])
  if (items.error) throw items.error
  return order
}

// covers S3.7 S7.7
it('accepts an order and the items by inserts into the tables', async () => {
  const customer = await shop.signUp()

  const order = await orderTableByTable(customer)

  const stored = await customer.client.from('orders').select('*').eq('id', order.id).single()
  const items = await customer.client.from('order_items').select('*').eq('order_id', order.id)
  expect(stored.data).toMatchObject({ status: 'pending_payment', total_amount: 820, subtotal_amount: 720 })
  expect(items.data).toHaveLength(2)
})

it('stores no order items when the sum differs from the order’s total', async () => {
  const { client, userId } = await shop.signUp()
  const { data: order } = await client
    .from('orders')
    .insert(orderRow(userId, { total: 101, shipping: 100 }))
    .select()
    .single<Placed>()

  const { error } = await client.from('order_items').insert([itemRow(order?.id ?? '', stickBait)])

  expect(error?.code).toBe('PT409')
  expect((await client.from('order_items').select().eq('order_id', order?.id)).data).toEqual([])
})

it('does not store an unpaid order with the status “new”', async () => {
  const { client, userId } = await shop.signUp()

  const { data } = await client
    .from('orders')
    .insert({ ...orderRow(userId, { total: 600, shipping: 100 }), status: 'new' })
    .select()

  expect(data?.[0]?.status ?? 'pending_payment').toBe('pending_payment')
})

// covers S7.7
it('returns an order for the success page, and an order number for the cancel page', async () => {
  const customer = await shop.signUp()
  const order = await placeOrder(customer)
  const orders = () => customer.client.from('orders')

  const success = await orders()
    .select('*, profiles(id, email, full_name, phone)')
    .eq('id', order.id)
    .single()
  const cancel = await orders().select('order_number').eq('id', order.id).single()

  expect(success.data.profiles).toMatchObject({ id: customer.userId, email: customer.email })
  expect(cancel.data).toEqual({ order_number: order.order_number })
})

// covers S4.17 S7.7
it('lets a customer set an unpaid order only to cancelled', async () => {
  const customer = await shop.signUp()
  const order = await placeOrder(customer)
  const setStatus = (status: string) =>
    customer.client.from('orders').update({ status }).eq('id', order.id).select('status')

  for (const status of ['new', 'processing', 'shipped', 'delivered']) {
    expect((await setStatus(status)).error?.message, status).toBeTruthy()
  }
  expect((await setStatus('cancelled')).data).toEqual([{ status: 'cancelled' }])
  expect((await setStatus('cancelled')).data).toEqual([])
})

it('does not let a customer cancel a paid order', async () => {
  const customer = await shop.signUp()
  const order = await placeOrder(customer)
  await shop.database.owner.query('select private.mark_order_paid($1, now())', [order.id])

  const { data } = await customer.client
    .from('orders')
    .update({ status: 'cancelled' })
    .eq('id', order.id)
    .select()

  expect(data).toEqual([])
})

it('does not let a stranger read or change an order', async () => {
  const customer = await shop.signUp()
  const order = await placeOrder(customer)
  const { client: stranger } = await shop.signUp()

  const orders = stranger.from('orders')
  expect((await orders.select().eq('id', order.id)).data).toEqual([])
  expect((await orders.update({ status: 'cancelled' }).eq('id', order.id).select()).data).toEqual([])
  expect((await orders.delete().eq('id', order.id).select()).data).toEqual([])
  expect((await stranger.from('order_items').select().eq('order_id', order.id)).data).toEqual([])
  expect((await stranger.from('order_items').insert(itemRow(order.id, popper))).error?.message).toBeTruthy()
  expect((await orders.insert(orderRow(customer.userId, { total: 600, shipping: 100 }))).error?.code).toBe(
    '42501',
  )
  expect((await customer.client.from('orders').select('status').eq('id', order.id)).data).toEqual([
    { status: 'pending_payment' },
  ])
})

it('does not let a visitor read the order tables', async () => {
  const visitor = shop.client()

  expect((await visitor.from('orders').select()).error?.code).toBe('42501')
  expect((await visitor.from('order_items').select()).error?.code).toBe('42501')
})

it('returns the same order for a repeated idempotency key, and rejects a changed price', async () => {
  const customer = await shop.signUp()
  await putInCart(customer)
  const call = (expectedTotal: number, key: string) =>
    customer.client
      .rpc('place_order', {
        idempotency_key: key,
        delivery,
        expected_total: expectedTotal,
      })
      .single<Placed>()
  const key = crypto.randomUUID()

  const cheaper = await call(1, crypto.randomUUID())
  const [first, again] = await Promise.all([call(600, key), call(600, key)])

  expect(cheaper.error).toMatchObject({ code: 'PT409', details: 'price_changed' })
  expect(first.error).toBeNull()
  expect(again.data?.id).toBe(first.data?.id)
})

it('does not call a paid order unpaid on the page of a cancelled payment, and cancels an unpaid order', async () => {
  const [buyer, other] = [await shop.signUp(), await shop.signUp()]
  const [paid, unpaid] = [await placeOrder(buyer), await placeOrder(other)]
  await shop.database.owner.query('select private.mark_order_paid($1, now())', [paid.id])

  expect(await cancelOrder(buyer.client, paid.id)).toMatchObject({ state: 'paid', order: { id: paid.id } })
  expect(await cancelOrder(other.client, unpaid.id)).toMatchObject({
    state: 'cancelled',
    order: { status: 'cancelled' },
  })
  await shop.database.owner.query('select private.cancel_order($1, $2)', [paid.id, 'shop'])
  expect(await cancelOrder(buyer.client, paid.id)).toMatchObject({ state: 'cancelled-with-money' })
})

it('does not say that no money has moved for a cancelled order whose money came later', async () => {
  const buyer = await shop.signUp()
  const { id } = await placeOrder(buyer)
  expect(await cancelOrder(buyer.client, id)).toMatchObject({ state: 'cancelled' })
  await shop.database.owner.query(
    `insert into public.payments (order_id, amount_gross, outcome, way, recorded_by) values ($1, 600, 'sold_out', 'eft', gen_random_uuid())`,
    [id],
  )

  expect(await cancelOrder(buyer.client, id)).toMatchObject({ state: 'cancelled-with-money', order: { id } })
})
