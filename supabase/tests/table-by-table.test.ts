import { describe, expect } from 'vitest'
import {
  aCustomer,
  anAdmin,
  aPromoCode,
  orderOf,
  markOrderPaid,
  place,
  popper,
  putInCart,
  riggedStickBait,
  setStock,
  statusOf,
  stockCounts,
  usesOf,
  type Line,
  type UserClaims,
} from './shopping.ts'
import { type TestTransaction, test } from './sql.ts'

// The calls of the specified client: it inserts the order with its own totals, then the lines.

interface Draft {
  id: string
  status: string
}

function insertOrder(buyer: UserClaims, columns: Record<string, unknown>): [string, unknown[]] {
  const row = {
    customer_id: buyer.sub,
    total_amount: 210,
    shipping_cost: 100,
    discount_amount: 0,
    promo_code_id: null,
    shipping_method: 'door-to-door',
    status: 'pending_payment',
    shipping_address: '14 Beach Road',
    shipping_city: 'Durban',
    shipping_state: 'KwaZulu-Natal',
    shipping_zip: '4001',
    notes: null,
    ...columns,
  }
  const names = Object.keys(row)
  return [
    `insert into public.orders (${names.join(', ')}) values (${names.map((_, i) => `$${i + 1}`).join(', ')}) returning *`,
    Object.values(row),
  ]
}

function insertLines(
  order: Draft,
  lines: (Omit<Line, 'with_hooks'> & { with_hooks: boolean | null })[],
): [string, unknown[]] {
  return [
    `insert into public.order_items (order_id, product_name, price, quantity, product_variant, with_hooks)
    select $1::uuid, product_name, price, quantity, product_variant, with_hooks
    from json_to_recordset($2) as lines (product_name text, price numeric, quantity int, product_variant text, with_hooks boolean)`,
    [order.id, JSON.stringify(lines)],
  ]
}

async function draftOf(
  sql: TestTransaction,
  buyer: UserClaims,
  columns: Record<string, unknown> = {},
): Promise<Draft> {
  await sql.as(buyer)
  return sql.row<Draft>(...insertOrder(buyer, columns))
}

describe('table-by-table order', () => {
  test('creates the same order by table inserts as place_order', async ({ sql }) => {
    const code = await aPromoCode(sql, { code: 'TENNER', discount_type: 'fixed', discount_value: 10 })
    const lines = [popper, { ...riggedStickBait, quantity: 2 }]
    const byFunction = await orderOf(sql, await aCustomer(sql), { lines, total: 1200, promo: 'TENNER' })
    const buyer = await aCustomer(sql)
    const draft = await draftOf(sql, buyer, { total_amount: 1200, discount_amount: 10, promo_code_id: code })
    await sql.rows(...insertLines(draft, lines))
    await sql.asShop()

    const amounts = `select status, subtotal_amount, shipping_cost, discount_amount, total_amount, promo_code,
      placed_at is not null as placed, reserved_until - created_at as hold, expires_at - created_at as life from public.orders where id = $1`
    expect(await sql.row(amounts, [draft.id])).toEqual(await sql.row(amounts, [byFunction.id]))
    const items = `select product_name, product_variant, price, quantity, with_hooks, product_id, variant_id, image_url
      from public.order_items where order_id = $1 order by product_name`
    expect(await sql.rows(items, [draft.id])).toEqual(await sql.rows(items, [byFunction.id]))
    const holds =
      'select variant_id, quantity from public.stock_reservations where order_id = $1 order by variant_id'
    expect(await sql.rows(holds, [draft.id])).toEqual(await sql.rows(holds, [byFunction.id]))
    expect(await usesOf(sql, 'TENNER')).toBe(2)
  })

  test('hides a draft order from staff until the client inserts the lines', async ({ sql }) => {
    const admin = await anAdmin(sql)
    const buyer = await aCustomer(sql)
    const draft = await draftOf(sql, buyer)
    const seen = async () => sql.rows('select id from public.orders where id = $1', [draft.id])

    await sql.as(admin)
    expect(await seen()).toEqual([])
    expect(await markOrderPaid(sql, draft)).toBe('not_found')
    await sql.as(buyer)
    await sql.rows(...insertLines(draft, [popper]))
    await sql.as(admin)
    expect(await seen()).toHaveLength(1)
  })

  test('keeps a draft order without lines until it expires, and then deletes it', async ({ sql }) => {
    const draft = await draftOf(sql, await aCustomer(sql))
    await sql.asShop()
    await sql.rows('select private.expire_orders()')
    expect(await sql.rows('select id from public.orders where id = $1', [draft.id])).toHaveLength(1)
    await sql.rows(`update public.orders set expires_at = now() - interval '1 second' where id = $1`, [
      draft.id,
    ])

    expect(await sql.value('select private.expire_orders()')).toBe(0)
    expect(await sql.rows('select id from public.orders where id = $1', [draft.id])).toEqual([])
  })

  test('keeps a draft order for as long as a reservation lasts', async ({ sql }) => {
    const draft = await draftOf(sql, await aCustomer(sql))

    await sql.asShop()
    expect(
      await sql.value(
        `select expires_at = now() + make_interval(mins => (select reservation_minutes from private.shop_rules))
         from public.orders where id = $1`,
        [draft.id],
      ),
    ).toBe(true)
  })

  test('takes name, phone and e-mail address of a draft order from the profile, where they are valid', async ({
    sql,
  }) => {
    const contactOf = async (name: string, phone: string) => {
      await sql.asShop()
      const buyer = await aCustomer(sql)
      await sql.rows('update public.profiles set full_name = $2, phone = $3 where id = $1', [
        buyer.sub,
        name,
        phone,
      ])
      const draft = await draftOf(sql, buyer)
      return sql.row(
        `select customer_name as name, customer_phone as phone, customer_email = $2 as has_address
         from public.orders where id = $1`,
        [draft.id, buyer.email],
      )
    }

    expect(await contactOf('Thandi Mokoena', '082 123 4567')).toEqual({
      name: 'Thandi Mokoena',
      phone: '082 123 4567',
      has_address: true,
    })
    expect(await contactOf('T', '082')).toEqual({ name: null, phone: null, has_address: true })
  })

  test('stores a draft order with a total of zero as awaiting payment until the lines arrive', async ({
    sql,
  }) => {
    const code = await aPromoCode(sql, { code: 'GIFT', discount_type: 'fixed', discount_value: 300 })
    const buyer = await aCustomer(sql)
    const draft = await draftOf(sql, buyer, {
      total_amount: 0,
      discount_amount: 300,
      promo_code_id: code,
      status: 'new',
    })
    expect(draft.status).toBe('pending_payment')

    await sql.rows(...insertLines(draft, [popper]))

    expect(await statusOf(sql, draft)).toBe('new')
  })

  test('replaces an unpaid order made by table inserts with the next order', async ({ sql }) => {
    const buyer = await aCustomer(sql)
    const first = await draftOf(sql, buyer)
    await sql.rows(...insertLines(first, [popper]))
    await putInCart(sql)

    await place(sql, { total: 600 })

    expect(await sql.rows('select status from public.orders order by order_number')).toEqual([
      { status: 'cancelled' },
      { status: 'pending_payment' },
    ])
  })
})

describe('manipulated order', () => {
  test('refuses a draft order for another customer', async ({ sql }) => {
    const [other, caller] = [await aCustomer(sql), await aCustomer(sql)]
    await sql.as(caller)
    const [insert, values] = insertOrder(other, {})

    // Returning the row would be refused in any case, because the caller may not read it.
    expect(await sql.refusal(insert.replace('returning *', ''), values)).toMatchObject({ code: '42501' })
  })

  test.for([
    ['a total a cent too low', { total_amount: 209.99 }],
    ['a total a cent too high', { total_amount: 210.01 }],
    ['free shipping below the limit', { total_amount: 110, shipping_cost: 0 }],
    ['a discount without a code', { total_amount: 200, discount_amount: 10 }],
    ['NaN as the total', { total_amount: 'NaN' }],
  ] as const)('places no order that has %s', async ([, columns], { sql }) => {
    await setStock(sql, popper, 5)
    const buyer = await aCustomer(sql)
    await sql.as(buyer)
    const [insert, values] = insertOrder(buyer, columns)
    if (columns.total_amount === 'NaN') {
      expect(await sql.refusal(insert, values)).toMatchObject({ constraint: 'impossible_total' })
      return
    }
    const draft = await sql.row<Draft>(insert, values)

    expect(await sql.refusal(...insertLines(draft, [popper]))).toMatchObject({
      code: 'PT409',
      reason: 'price_changed',
    })

    expect(await sql.rows('select * from public.order_items where order_id = $1', [draft.id])).toEqual([])
    await sql.asShop()
    expect(await stockCounts(sql, popper)).toEqual({ stock: 5, available: 5, movements: 5 })
  })

  test('refuses a draft order below PayFast’s minimum in live mode', async ({ sql }) => {
    await sql.rows(`select private.set_shop_rules('{"refund_way": "payfast"}')`)
    const code = await aPromoCode(sql, { code: 'LEAVES', discount_type: 'fixed', discount_value: 205.01 })
    const columns = { total_amount: 4.99, discount_amount: 205.01, promo_code_id: code }
    const draft = await draftOf(sql, await aCustomer(sql), columns)

    expect((await sql.refusal(...insertLines(draft, [popper]))).reason).toBe('amount_too_small')
  })

  test.for([
    ['a price of its own', { price: 1 }, 'price_changed'],
    ['an unknown product', { product_name: 'Spoon' }, 'unknown_product'],
    ['an unknown colour', { product_variant: 'Zebra' }, 'unknown_product'],
    ['the price without hooks for one with', { with_hooks: true }, 'price_changed'],
    ['no choice of hooks', { with_hooks: null }, 'hooks_not_chosen'],
  ] as const)('rejects an order line with %s', async ([, wrong, reason], { sql }) => {
    const draft = await draftOf(sql, await aCustomer(sql))

    expect((await sql.refusal(...insertLines(draft, [{ ...popper, ...wrong }]))).reason).toBe(reason)
  })

  test.for([0, -1, 1_000])('rejects an order line with a quantity of %i', async (quantity, { sql }) => {
    const draft = await draftOf(sql, await aCustomer(sql))

    expect((await sql.refusal(...insertLines(draft, [{ ...popper, quantity }]))).constraint).toBe(
      'impossible_quantity',
    )
  })

  test.for([
    ['a paid status', { status: 'processing' }, { code: 'PT422', reason: 'invalid_status' }],
    ['the status new and an amount to pay', { status: 'new' }, { code: 'PT422', reason: 'invalid_status' }],
    ['a negative total', { total_amount: -1 }, { constraint: 'impossible_total' }],
    ['an unknown promo code', { promo_code_id: 'a3c0d7a6-0000-4000-8000-000000000000' }, { code: '23503' }],
    ['no address', { shipping_address: null }, { constraint: 'address_unless_handed_over' }],
    ['an unknown shipping method', { shipping_method: 'ferry' }, { constraint: 'unknown_shipping_method' }],
  ] as const)('rejects a draft order with %s', async ([, columns, refusal], { sql }) => {
    const buyer = await aCustomer(sql)
    await sql.as(buyer)

    expect(await sql.refusal(...insertOrder(buyer, columns))).toMatchObject(refusal)
  })

  test('rejects a draft whose shipping cost and discount are wrong though its total is right', async ({
    sql,
  }) => {
    const draft = await draftOf(sql, await aCustomer(sql), { shipping_cost: 150, discount_amount: 50 })

    expect(await sql.refusal(...insertLines(draft, [popper]))).toMatchObject({ reason: 'price_changed' })
  })

  test('places a draft whose lines follow an order of the checkout in the same transaction', async ({
    sql,
  }) => {
    await orderOf(sql, await aCustomer(sql), { lines: [popper], total: 210 })
    const draft = await draftOf(sql, await aCustomer(sql))
    await sql.rows(...insertLines(draft, [popper]))

    await sql.asShop()
    expect(await sql.value('select placed_at is not null from public.orders where id = $1', [draft.id])).toBe(
      true,
    )
  })

  test('limits a customer to twenty draft orders', async ({ sql }) => {
    const buyer = await aCustomer(sql)
    for (let i = 0; i < 20; i += 1) await draftOf(sql, buyer)

    expect(await sql.refusal(...insertOrder(buyer, {}))).toMatchObject({
      code: 'PT429',
      reason: 'too_many_drafts',
    })
  })

  test('rejects inserted orders for other customers, and new lines in placed orders', async ({ sql }) => {
    const buyer = await aCustomer(sql)
    const other = await aCustomer(sql)
    const draft = await draftOf(sql, buyer)
    await sql.rows(...insertLines(draft, [popper]))
    expect(await sql.refusal(...insertLines(draft, [riggedStickBait]))).toMatchObject({ code: '42501' })

    await sql.as(other)
    expect(await sql.refusal(...insertOrder(buyer, {}))).toMatchObject({ code: '42501' })
    expect(await sql.refusal(...insertLines(draft, [riggedStickBait]))).toMatchObject({ code: '42501' })
  })
})
