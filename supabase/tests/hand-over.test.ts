import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { aCustomer, anAdmin, place, popper, putInCart, stockCounts, type OrderRecord } from './shopping.ts'
import { delivery } from '#test/shopping.ts'
import { type TestTransaction, test } from './sql.ts'

const PLACE = 'select * from public.place_staff_order($1, $2)'
const IN_PERSON = {
  full_name: 'Thandi Mokoena',
  email: 'thandi@example.com',
  phone: '082 123 4567',
  shipping_method: 'hand-over',
}

async function wanted(sql: TestTransaction, more: Record<string, unknown> = {}): Promise<unknown[]> {
  const variant_id = await sql.value<string>(
    `select v.id from public.product_variants v join public.products p on p.id = v.product_id where p.name = $1 and v.name = $2`,
    [popper.product_name, popper.product_variant],
  )
  const lines = [{ variant_id, with_hooks: false, quantity: 1 }]
  return [
    randomUUID(),
    JSON.stringify({ delivery: IN_PERSON, lines, expected_total: 110, paid_by: 'cash', ...more }),
  ]
}

async function mailsAbout(sql: TestTransaction, order: OrderRecord) {
  await sql.asShop()
  await sql.rows('set constraints all immediate')
  return sql.rows<{ template: string; method: string; status: string }>(
    `select m.template, m.props ->> 'shippingMethod' as method, m.props ->> 'status' as status from public.mails m
     where m.props ->> 'orderId' = $1 order by m.template`,
    [order.id],
  )
}

// covers A16
test('enters an order for in-person delivery without address or shipping fee', async ({ sql }) => {
  await sql.as(await anAdmin(sql))

  const order = await sql.row<OrderRecord>(PLACE, await wanted(sql))

  expect(order).toMatchObject({
    status: 'new',
    shipping_method: 'hand-over',
    shipping_cost: '0.00',
    total_amount: '110.00',
    shipping_address: null,
    shipping_city: null,
    shipping_state: null,
    shipping_zip: null,
  })
  expect((await mailsAbout(sql, order)).map(({ template }) => template)).toEqual([
    'order-confirmation',
    'order-notification',
  ])
})

test('quotes no shipping fee for in-person delivery and the usual fee for a parcel', async ({ sql }) => {
  await sql.as(await anAdmin(sql))
  const [, order] = await wanted(sql)
  const { lines } = JSON.parse(String(order))
  const quote = (method: string | null) =>
    sql.value<{ shipping: number }>('select public.quote_staff_order($1, null, $2)', [
      JSON.stringify(lines),
      method,
    ])

  expect(await quote('hand-over')).toMatchObject({ shipping: 0, total: 110 })
  expect(await quote('door-to-door')).toMatchObject({ shipping: 100, total: 210 })
  expect(await quote(null)).toMatchObject({ shipping: 100, total: 210 })
})

test('marks an order handed over in person as delivered and sends one mail', async ({ sql }) => {
  const before = await stockCounts(sql, popper)
  await sql.as(await anAdmin(sql))

  const order = await sql.row<OrderRecord>(PLACE, await wanted(sql, { handed_over: true }))

  expect(order.status).toBe('delivered')
  expect(await mailsAbout(sql, order)).toEqual([
    { template: 'order-status-update', method: 'hand-over', status: 'delivered' },
  ])
  expect((await stockCounts(sql, popper)).stock).toBe(before.stock - 1)
})

test('does not mark a parcel as delivered at once', async ({ sql }) => {
  await sql.as(await anAdmin(sql))

  const parcel = await wanted(sql, { delivery, expected_total: 210, handed_over: true })

  expect((await sql.row<OrderRecord>(PLACE, parcel)).status).toBe('new')
})

test('requires an idempotency key for a manual order', async ({ sql }) => {
  await sql.as(await anAdmin(sql))
  const [, order] = await wanted(sql)

  expect(await sql.refusal(PLACE, [null, order])).toMatchObject({ reason: 'missing_key' })
})

test('rejects in-person delivery of unpaid orders and orders without name or phone', async ({ sql }) => {
  await sql.as(await anAdmin(sql))

  expect(await sql.refusal(PLACE, await wanted(sql, { handed_over: true, paid_by: null }))).toMatchObject({
    reason: 'not_paid',
  })
  const nameless = await wanted(sql, { delivery: { ...IN_PERSON, full_name: '', phone: '1' } })
  expect(await sql.refusal(PLACE, nameless)).toMatchObject({
    reason: 'invalid_delivery',
    facts: {
      full_name: 'Name must be at least 2 characters',
      phone: 'Phone number must be at least 10 digits',
    },
  })
})

test('refuses to ship an order that is for in-person delivery', async ({ sql }) => {
  await sql.as(await anAdmin(sql))
  const order = await sql.row<OrderRecord>(PLACE, await wanted(sql))

  expect(
    await sql.refusal(`update public.orders set status = 'shipped' where id = $1`, [order.id]),
  ).toMatchObject({
    reason: 'handed_over',
  })
  expect(
    await sql.refusal(`update public.orders set tracking_number = 'TCG 1' where id = $1`, [order.id]),
  ).toMatchObject({ reason: 'handed_over' })
  await sql.rows(`update public.orders set status = 'processing' where id = $1`, [order.id])
  await sql.rows(`update public.orders set status = 'delivered' where id = $1`, [order.id])
})

test('does not let customers choose in-person delivery in the checkout or by direct inserts', async ({
  sql,
}) => {
  const customer = await aCustomer(sql)
  await sql.as(customer)
  await putInCart(sql, popper)

  const refusal = await sql.refusal(`select public.place_order(gen_random_uuid(), $1, 110)`, [
    JSON.stringify(IN_PERSON),
  ])
  expect(refusal).toMatchObject({
    reason: 'invalid_delivery',
    facts: { shipping_method: 'Please select a shipping method' },
  })
  expect(
    await sql.refusal(
      `insert into public.orders (customer_id, total_amount, shipping_cost, shipping_method) values ($1, 110, 0, 'hand-over')`,
      [customer.sub],
    ),
  ).toMatchObject({ reason: 'invalid_delivery' })
  expect(
    await sql.refusal(
      `insert into public.orders (customer_id, total_amount, shipping_cost, shipping_method) values ($1, 210, 100, 'door-to-door')`,
      [customer.sub],
    ),
  ).toMatchObject({ constraint: 'address_unless_handed_over' })
  expect((await place(sql, { total: 210, delivery })).shipping_method).toBe('door-to-door')
})

test('corrects the name on an in-person delivery but never changes the delivery method', async ({ sql }) => {
  await sql.as(await anAdmin(sql))
  const order = await sql.row<OrderRecord>(PLACE, await wanted(sql))
  const change = `select public.change_delivery($1, '{}', $2)`

  await sql.rows(change, [order.id, JSON.stringify({ customer_name: 'Thandi M. Mokoena' })])
  const refusal = await sql.refusal(change, [
    order.id,
    JSON.stringify({
      shipping_method: 'door-to-door',
      shipping_address: '14 Beach Road',
      shipping_city: 'Durban',
      shipping_state: 'KwaZulu-Natal',
      shipping_zip: '4001',
    }),
  ])

  expect(refusal).toMatchObject({ reason: 'invalid_delivery' })
  expect(await sql.value('select customer_name from public.orders where id = $1', [order.id])).toBe(
    'Thandi M. Mokoena',
  )
})

test('erases the name on an in-person delivery after five years', async ({ sql }) => {
  await sql.as(await anAdmin(sql))
  const order = await sql.row<OrderRecord>(PLACE, await wanted(sql, { handed_over: true }))
  await sql.asShop()
  await sql.rows('set constraints all immediate')
  await sql.rows('alter table public.orders disable trigger touch_updated_at')
  await sql.rows(
    `update public.orders set customer_id = null, updated_at = now() - interval '6 years' where id = $1`,
    [order.id],
  )
  await sql.rows('alter table public.orders enable trigger touch_updated_at')

  expect(await sql.value('select private.erase_inactive_customers()')).toBe(1)
  expect(await sql.value('select private.erase_inactive_customers()')).toBe(0)
  expect(await sql.value('select customer_name from public.orders where id = $1', [order.id])).toBeNull()
})
