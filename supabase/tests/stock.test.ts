import { describe, expect } from 'vitest'
import { orderNumberText } from '#domain/order-status.ts'
import {
  aCustomer,
  aVerifiedCustomer,
  anAdmin,
  orderOf,
  markOrderPaid,
  place,
  placing,
  PLACE_ORDER,
  popper,
  putInCart,
  riggedStickBait,
  setStock,
  statusOf,
  stockCounts,
  type UserClaims,
} from './shopping.ts'
import { type TestTransaction, test } from './sql.ts'

const AVAILABLE = `select s.available from public.product_availability s
  join public.product_variants v on v.id = s.variant_id where v.name = $1`

const TWO_POPPERS = { lines: [{ ...popper, quantity: 2 }], total: 320 }

/** The statement that deletes the lure, or the colour, of an order of one line. */
function removal(table: 'products' | 'product_variants', { id }: { id: string }): string {
  const column = table === 'products' ? 'product_id' : 'variant_id'
  return `delete from public.${table} where id = (select ${column} from public.order_items where order_id = '${id}')`
}

describe('stock of an order', () => {
  test('reserves stock when an order is placed and takes the stock once when paid', async ({ sql }) => {
    await setStock(sql, popper, 5)
    const order = await orderOf(sql, await aCustomer(sql), TWO_POPPERS)
    expect(await stockCounts(sql, popper)).toEqual({ stock: 5, available: 3, movements: 5 })

    expect([await markOrderPaid(sql, order), await markOrderPaid(sql, order)]).toEqual([
      'paid',
      'already_paid',
    ])

    expect(await stockCounts(sql, popper)).toEqual({ stock: 3, available: 3, movements: 3 })
    expect(
      await sql.rows('select quantity, reason from public.stock_movements where order_id = $1', [order.id]),
    ).toEqual([{ quantity: -2, reason: 'sold' }])
  })

  const OWN = `select v.name, o.quantity from public.own_reservations() o
    join public.product_variants v on v.id = o.variant_id`

  test('tells customers which units only their own unpaid order keeps from them', async ({ sql }) => {
    await setStock(sql, popper, 3)
    const [buyer, other] = [await aCustomer(sql), await aCustomer(sql)]
    const order = await orderOf(sql, buyer, TWO_POPPERS)
    const reserved = async (person: UserClaims) => {
      await sql.as(person)
      const own = await sql.rows(OWN)
      await sql.asShop()
      return own
    }

    expect(await reserved(buyer)).toEqual([{ name: popper.product_variant, quantity: 2 }])
    expect(await reserved(other)).toEqual([])
    // Staff count one, and the order reserves two of it.
    await setStock(sql, popper, 1)
    expect(await reserved(buyer)).toEqual([{ name: popper.product_variant, quantity: 1 }])
    await sql.rows(`update public.stock_reservations set expires_at = now() where order_id = $1`, [order.id])
    expect(await reserved(buyer)).toEqual([])
  })

  test('tells no reservation of an order that is paid or whose money waits for a decision', async ({
    sql,
  }) => {
    await setStock(sql, popper, 3)
    const buyer = await aCustomer(sql)
    const order = await orderOf(sql, buyer, TWO_POPPERS)
    await sql.rows('update public.orders set expires_at = null where id = $1', [order.id])
    await sql.as(buyer)
    expect(await sql.rows(OWN)).toEqual([])
    await markOrderPaid(sql, order)
    await sql.as(buyer)

    expect(await sql.rows(OWN)).toEqual([])
  })

  test.for(['products', 'product_variants'] as const)(
    'refuses to delete %s of an unpaid order until it is cancelled',
    async (table, { sql }) => {
      await setStock(sql, popper, 5)
      const order = await orderOf(sql, await aCustomer(sql), TWO_POPPERS)
      const remove = removal(table, order)
      await sql.as(await anAdmin(sql))

      expect(await sql.refusal(remove)).toMatchObject({
        code: 'PT409',
        reason: 'in_unshipped_order',
        message: expect.stringContaining(`Order #${orderNumberText(order.order_number)} contains`),
      })
      await sql.rows(`update public.orders set status = 'cancelled' where id = $1`, [order.id])

      expect(await sql.touched(remove)).toBe(1)
    },
  )

  test('keeps a colour that an unpaid order has, although its reservation has ended', async ({ sql }) => {
    await setStock(sql, popper, 5)
    const order = await orderOf(sql, await aCustomer(sql), TWO_POPPERS)
    await sql.rows(`update public.stock_reservations set expires_at = now() - interval '1 minute'`)
    await sql.as(await anAdmin(sql))

    expect(await sql.refusal(removal('product_variants', order))).toMatchObject({
      reason: 'in_unshipped_order',
    })

    expect(await markOrderPaid(sql, order)).toBe('paid')
  })

  test('advises to refund a late payment for a colour that was deleted, because no stock can be added', async ({
    sql,
  }) => {
    await setStock(sql, popper, 5)
    const order = await orderOf(sql, await aCustomer(sql), TWO_POPPERS)
    await sql.rows(`select private.cancel_order($1, 'expired')`, [order.id])
    await sql.as(await anAdmin(sql))
    await sql.rows(removal('product_variants', order))
    await sql.rows(`select public.record_payment($1, 'eft', 'FNB 4711')`, [order.id])
    const payment = await sql.value('select id from public.payments where order_id = $1', [order.id])

    expect(await sql.refusal('select public.accept_late_payment($1)', [payment])).toMatchObject({
      reason: 'sold_out',
      message: expect.stringContaining('was deleted, so no stock can be added for it. Refund the payment.'),
    })
  })

  test('counts the stock, carts and waiting people of a lure before it is deleted', async ({ sql }) => {
    const [buyer, other] = [await aCustomer(sql), await aCustomer(sql)]
    await sql.as(buyer)
    await putInCart(sql, popper)
    await putInCart(sql, { ...popper, with_hooks: true, price: 142 })
    await sql.as(other)
    await putInCart(sql)
    await sql.asShop()
    const product = await sql.value<string>('select id from public.products where name = $1', [
      popper.product_name,
    ])
    await sql.rows('update public.product_variants set stock_quantity = 2 where product_id = $1', [product])
    await sql.rows(
      `insert into public.stock_alerts (variant_id, email, wording, withdrawn_at)
       select v.id, address, 'E-mail me', case address when 'gone@example.com' then now() end
       from public.product_variants v, unnest(array['thandi@example.com', 'gone@example.com']) as address
       where v.product_id = $1`,
      [product],
    )
    const colours = await sql.value<number>(
      'select count(*)::int from public.product_variants where product_id = $1',
      [product],
    )
    await sql.as(await anAdmin(sql))

    expect(await sql.value('select public.preview_product_removal($1)', [product])).toEqual({
      stock: 2 * colours,
      carts: 1,
      waiting: 1,
    })
  })

  test('keeps a colour that a paid order has until the order is shipped', async ({ sql }) => {
    await setStock(sql, popper, 5)
    const order = await orderOf(sql, await aCustomer(sql), TWO_POPPERS)
    await markOrderPaid(sql, order)
    await sql.as(await anAdmin(sql))
    const remove = removal('product_variants', order)
    const step = (status: string) =>
      sql.rows('update public.orders set status = $2 where id = $1', [order.id, status])

    expect(await sql.refusal(remove)).toMatchObject({ reason: 'in_unshipped_order' })
    await step('processing')
    expect(await sql.refusal(remove)).toMatchObject({ reason: 'in_unshipped_order' })
    await step('shipped')

    expect(await sql.touched(remove)).toBe(1)
  })

  test('frees reserved stock when an unpaid order is cancelled', async ({ sql }) => {
    await setStock(sql, popper, 5)
    const order = await orderOf(sql, await aCustomer(sql), TWO_POPPERS)

    await sql.rows(`select private.cancel_order($1, 'expired')`, [order.id])

    expect(await stockCounts(sql, popper)).toEqual({ stock: 5, available: 5, movements: 5 })
  })

  // covers A18
  test('returns stock when a paid order is cancelled before shipping', async ({ sql }) => {
    await setStock(sql, popper, 5)
    const order = await orderOf(sql, await aCustomer(sql), TWO_POPPERS)
    await markOrderPaid(sql, order)

    await sql.rows(`update public.orders set status = 'cancelled' where id = $1`, [order.id])

    expect(await stockCounts(sql, popper)).toEqual({ stock: 5, available: 5, movements: 5 })
  })

  test('returns stock when an order is cancelled while staff process it', async ({ sql }) => {
    await setStock(sql, popper, 5)
    const order = await orderOf(sql, await aCustomer(sql), TWO_POPPERS)
    await markOrderPaid(sql, order)
    await sql.rows(`update public.orders set status = 'processing' where id = $1`, [order.id])

    await sql.rows(`update public.orders set status = 'cancelled' where id = $1`, [order.id])

    expect(await stockCounts(sql, popper)).toEqual({ stock: 5, available: 5, movements: 5 })
  })

  test('returns no stock when an order is cancelled after shipping', async ({ sql }) => {
    await setStock(sql, popper, 5)
    const order = await orderOf(sql, await aCustomer(sql), TWO_POPPERS)
    await markOrderPaid(sql, order)
    await sql.rows(`update public.orders set status = 'shipped' where id = $1`, [order.id])

    await sql.rows(`update public.orders set status = 'cancelled' where id = $1`, [order.id])

    expect(await stockCounts(sql, popper)).toMatchObject({ stock: 3 })
  })

  test('returns stock when a paid order is deleted before shipping', async ({ sql }) => {
    await setStock(sql, popper, 5)
    const order = await orderOf(sql, await aCustomer(sql), TWO_POPPERS)
    await markOrderPaid(sql, order)
    await sql.as(await anAdmin(sql))

    await sql.rows('delete from public.order_items where order_id = $1', [order.id])
    await sql.rows('delete from public.orders where id = $1', [order.id])

    await sql.asShop()
    expect(await stockCounts(sql, popper)).toEqual({ stock: 5, available: 5, movements: 5 })
  })

  test('returns no stock when a shipped order is deleted', async ({ sql }) => {
    await setStock(sql, popper, 5)
    const order = await orderOf(sql, await aCustomer(sql), TWO_POPPERS)
    await markOrderPaid(sql, order)
    await sql.rows(`update public.orders set status = 'shipped' where id = $1`, [order.id])

    await sql.rows('delete from public.orders where id = $1', [order.id])

    expect(await stockCounts(sql, popper)).toEqual({ stock: 3, available: 3, movements: 3 })
  })

  test('leaves no reservation beside the stock that a paid order took', async ({ sql }) => {
    await setStock(sql, popper, 5)
    const order = await orderOf(sql, await aCustomer(sql), TWO_POPPERS)

    await markOrderPaid(sql, order)

    expect(await sql.rows('select from public.stock_reservations where order_id = $1', [order.id])).toEqual(
      [],
    )
  })

  test('records a count as a count even in the transaction of a sale', async ({ sql }) => {
    await setStock(sql, popper, 5)
    const order = await orderOf(sql, await aCustomer(sql), TWO_POPPERS)
    await markOrderPaid(sql, order)

    await setStock(sql, popper, 9)

    expect(
      await sql.rows(
        'select quantity, reason, order_id from public.stock_movements order by id desc limit 2',
      ),
    ).toEqual([
      { quantity: 6, reason: 'counted', order_id: null },
      { quantity: -2, reason: 'sold', order_id: order.id },
    ])
  })

  test('takes lines with and without hooks from the same stock', async ({ sql }) => {
    await setStock(sql, popper, 3)
    const buyer = await aCustomer(sql)
    await sql.as(buyer)
    await putInCart(sql, { ...popper, quantity: 2 })
    await putInCart(sql, { ...popper, quantity: 2, with_hooks: true, price: 142 })

    const quote = await sql.value<{ lines: unknown[] }>('select public.quote_cart()')
    expect(quote.lines).toMatchObject([
      { wanted: 4, available: 3, problem: 'sold_out' },
      { wanted: 4, available: 3, problem: 'sold_out' },
    ])
    expect(await sql.refusal(PLACE_ORDER, placing({ total: 604 }))).toMatchObject({
      code: 'PT409',
      reason: 'sold_out',
      facts: [{ product_variant: popper.product_variant, wanted: 4, available: 3 }],
    })
  })
})

describe('last unit', () => {
  test('sells a reserved unit to another buyer only after the reservation expires', async ({ sql }) => {
    await setStock(sql, popper, 1)
    const first = await orderOf(sql, await aCustomer(sql), { lines: [popper], total: 210 })
    const second = await aCustomer(sql)
    await sql.as(second)
    await putInCart(sql, popper)
    expect(await sql.refusal(PLACE_ORDER, placing({ total: 210 }))).toMatchObject({ reason: 'sold_out' })
    expect(await sql.value('select public.quote_cart() -> $$lines$$ -> 0 ->> $$problem$$')).toBe('sold_out')

    await sql.asShop()
    await sql.rows(
      `update public.stock_reservations set expires_at = now() - interval '1 second' where order_id = $1`,
      [first.id],
    )
    await sql.as(second)
    expect(await sql.value(AVAILABLE, [popper.product_variant])).toBe(1)
    const order = await place(sql, { total: 210 })

    expect(await markOrderPaid(sql, order)).toBe('paid')
    expect(await markOrderPaid(sql, first)).toBe('sold_out')
    expect(await sql.value('select private.renew_reservation($1)', [first.id])).toBe('sold_out')
    expect(await stockCounts(sql, popper)).toEqual({ stock: 0, available: 0, movements: 0 })
  })

  test('does not pay an order whose lines an admin has deleted, and keeps its money for a decision', async ({
    sql,
  }) => {
    await setStock(sql, popper, 1)
    const order = await orderOf(sql, await aCustomer(sql), { lines: [popper], total: 210 })
    await sql.as(await anAdmin(sql))
    await sql.rows('delete from public.order_items where order_id = $1', [order.id])
    await sql.asShop()

    expect(await markOrderPaid(sql, order)).toBe('sold_out')

    expect(
      await sql.row('select status, paid_at, expires_at from public.orders where id = $1', [order.id]),
    ).toEqual({ status: 'pending_payment', paid_at: null, expires_at: null })
  })

  test('does not let a paid but sold-out order expire before staff decide', async ({ sql }) => {
    await setStock(sql, popper, 1)
    const order = await orderOf(sql, await aCustomer(sql), { lines: [popper], total: 210 })
    await setStock(sql, popper, 0)

    expect([await markOrderPaid(sql, order), await markOrderPaid(sql, order)]).toEqual([
      'sold_out',
      'sold_out',
    ])

    expect(await sql.value('select private.expire_orders()')).toBe(0)
    expect(
      await sql.row('select status, paid_at, expires_at from public.orders where id = $1', [order.id]),
    ).toEqual({
      status: 'pending_payment',
      paid_at: null,
      expires_at: null,
    })
    expect(
      await sql.rows(`select kind from public.order_events where order_id = $1 order by id`, [order.id]),
    ).toEqual([{ kind: 'placed' }, { kind: 'paid_but_sold_out' }])

    await setStock(sql, popper, 1)
    expect(await markOrderPaid(sql, order)).toBe('paid')
  })

  test('takes an order’s stock again when a late payment reinstates the order', async ({ sql }) => {
    await setStock(sql, popper, 1)
    const order = await orderOf(sql, await aCustomer(sql), { lines: [popper], total: 210 })
    await sql.rows(`select private.cancel_order($1, 'expired')`, [order.id])

    expect(await markOrderPaid(sql, order)).toBe('reinstated')

    expect(await statusOf(sql, order)).toBe('new')
    expect(await stockCounts(sql, popper)).toEqual({ stock: 0, available: 0, movements: 0 })
  })
})

describe('made-to-order product', () => {
  test('sells a made-to-order product beyond the stock', async ({ sql }) => {
    await sql.rows('update public.products set made_to_order = true where name = $1', [popper.product_name])
    await setStock(sql, popper, 1)

    const order = await orderOf(sql, await aCustomer(sql), {
      lines: [{ ...popper, quantity: 3 }],
      total: 430,
    })

    expect(await stockCounts(sql, popper)).toMatchObject({ stock: 1, available: 0 })
    expect(await markOrderPaid(sql, order)).toBe('paid')
    expect(await stockCounts(sql, popper)).toEqual({ stock: 0, available: 0, movements: 0 })
  })

  test('reserves of a made-to-order product only the units in stock', async ({ sql }) => {
    await sql.rows('update public.products set made_to_order = true where name = $1', [popper.product_name])
    await setStock(sql, popper, 1)
    await orderOf(sql, await aCustomer(sql), { lines: [{ ...popper, quantity: 3 }], total: 430 })

    await setStock(sql, popper, 4)

    expect(await stockCounts(sql, popper)).toMatchObject({ stock: 4, available: 3 })
  })
})

describe('stock figure', () => {
  test('records a changed stock figure as a stock count and updates the product’s total', async ({ sql }) => {
    const before = await sql.value<number>('select stock_quantity from public.products where name = $1', [
      popper.product_name,
    ])
    const { stock } = await stockCounts(sql, popper)

    await setStock(sql, popper, stock + 7)

    expect(
      await sql.row('select quantity, reason, order_id from public.stock_movements order by id desc limit 1'),
    ).toEqual({
      quantity: 7,
      reason: 'counted',
      order_id: null,
    })
    expect(
      await sql.value('select stock_quantity from public.products where name = $1', [popper.product_name]),
    ).toBe(before + 7)
  })

  test('rejects a negative stock figure', async ({ sql }) => {
    expect(await sql.refusal('update public.product_variants set stock_quantity = -1')).toMatchObject({
      constraint: 'negative_stock',
    })
  })

  test('applies a product’s stock figure to the product’s only variant', async ({ sql }) => {
    await sql.as(await anAdmin(sql))
    const id = await sql.value(
      `insert into public.products (name, price, stock_quantity) values ('Prototype', 90, 4) returning id`,
    )
    await sql.rows('set constraints all immediate')
    await sql.rows('update public.products set stock_quantity = 6 where id = $1', [id])

    expect(
      await sql.row('select slug, name, stock_quantity from public.product_variants where product_id = $1', [
        id,
      ]),
    ).toEqual({
      slug: 'standard',
      name: 'Standard',
      stock_quantity: 6,
    })
    expect(await sql.rows('select quantity from public.stock_movements order by id desc limit 2')).toEqual([
      { quantity: 2 },
      { quantity: 4 },
    ])
  })

  test('refuses a changed stock figure for a product with several variants', async ({ sql }) => {
    const update = 'update public.products set stock_quantity = stock_quantity + $2 where name = $1'

    expect(await sql.refusal(update, [riggedStickBait.product_name, 1])).toMatchObject({
      code: 'PT409',
      reason: 'several_variants',
    })
    expect(await sql.rows(update, [riggedStickBait.product_name, 0])).toEqual([])
  })
})

describe('stock alerts', () => {
  test('deletes an account’s stock alerts only if its mailbox is verified', async ({ sql }) => {
    const [stranger, owner] = [await aCustomer(sql), await aVerifiedCustomer(sql)]
    await anAlert(sql, stranger.email)
    await anAlert(sql, owner.email)

    await sql.rows('delete from auth.users where id = any ($1)', [[stranger.sub, owner.sub]])

    expect(await sql.rows('select email from public.stock_alerts')).toEqual([{ email: stranger.email }])
  })

  test('keeps ended stock alerts for ninety days', async ({ sql }) => {
    await anAlert(sql, 'old@example.com')
    await anAlert(sql, 'older@example.com')
    await sql.rows(`update public.stock_alerts set mailed_at = now() -
      case email when 'old@example.com' then interval '89 days' else interval '91 days' end`)

    await sql.rows('select private.queue_stock_alerts()')

    expect(await sql.rows('select email from public.stock_alerts')).toEqual([{ email: 'old@example.com' }])
  })

  test('stores no stock alert for a product that is made to order', async ({ sql }) => {
    await sql.rows('update public.products set made_to_order = true')

    await anAlert(sql, 'buyer@example.com')

    expect(await sql.rows('select from public.stock_alerts')).toEqual([])
  })
})

async function anAlert(sql: TestTransaction, email: string): Promise<void> {
  await setStock(sql, popper, 0)
  await sql.rows(
    `select public.request_stock_alert(v.id, $2) from public.product_variants v where v.name = $1`,
    [popper.product_variant, email],
  )
}
