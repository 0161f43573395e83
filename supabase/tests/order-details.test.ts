import { describe, expect } from 'vitest'
import { delivery } from '#test/shopping.ts'
import {
  aCustomer,
  aPacker,
  aPromoCode,
  anAdmin,
  markOrderPaid,
  orderOf,
  place,
  popper,
  riggedStickBait,
  type OrderRecord,
} from './shopping.ts'
import { type TestTransaction, test } from './sql.ts'

const ONE_POPPER = { lines: [popper], total: 210 }
const BLUE_POPPER = { ...popper, product_variant: 'Blue Reaper 150mm' }

/** What the mail to the shop about a paid order states. Fires the deferred triggers that queue it. */
async function notificationOf(sql: TestTransaction, order: OrderRecord) {
  await markOrderPaid(sql, order)
  await sql.rows('set constraints all immediate')
  return sql.value<Record<string, unknown> & { items: { productVariant: string }[] }>(
    `select props from public.mails where key = 'order-notification:' || $1`,
    [order.id],
  )
}

async function eventOf(sql: TestTransaction, order: OrderRecord, kind: string) {
  await sql.asShop()
  return sql.value('select detail from public.order_events where order_id = $1 and kind = $2', [
    order.id,
    kind,
  ])
}

const emailOf = (sql: TestTransaction, { id }: OrderRecord) =>
  sql.value('select customer_email from public.orders where id = $1', [id])

describe('delivery of an order', () => {
  test('stores an e-mail address in lower case and an empty note as none', async ({ sql }) => {
    const order = await orderOf(sql, await aCustomer(sql), {
      ...ONE_POPPER,
      delivery: { ...delivery, email: ' Thandi@Example.COM ', notes: '  ' },
    })

    expect(order).toMatchObject({ customer_email: 'thandi@example.com', notes: null })
  })

  test('stores no locker for an order that goes to the door', async ({ sql }) => {
    const order = await orderOf(sql, await aCustomer(sql), {
      ...ONE_POPPER,
      delivery: { ...delivery, shipping_method: 'door-to-door', locker_location: 'Gateway Mall' },
    })

    expect(order['locker_location']).toBeNull()
  })

  test('forgets the locker when staff send the order to the door', async ({ sql }) => {
    const order = await orderOf(sql, await aCustomer(sql), {
      ...ONE_POPPER,
      delivery: { ...delivery, shipping_method: 'locker', locker_location: 'Gateway Mall' },
    })
    await sql.as(await anAdmin(sql))
    const toTheDoor = JSON.stringify({ shipping_method: 'door-to-door' })

    await sql.rows(`select public.change_delivery($1, '{}', $2)`, [order.id, toTheDoor])
    await sql.rows(`select public.change_delivery($1, '{}', $2)`, [order.id, toTheDoor])

    expect(
      await sql.row('select shipping_method, locker_location from public.orders where id = $1', [order.id]),
    ).toEqual({ shipping_method: 'door-to-door', locker_location: null })
    // A save that changes nothing is no event.
    expect(
      await sql.rows(`select from public.order_events where order_id = $1 and kind = 'delivery_changed'`, [
        order.id,
      ]),
    ).toHaveLength(1)
  })
})

describe('e-mail address of an order', () => {
  const CHANGE = 'select public.change_delivery($1, $2, $3)'
  const MISTYPED = 'thandi@example.con'

  async function aMistypedOrder(sql: TestTransaction) {
    const admin = await anAdmin(sql)
    const order = await orderOf(sql, await aCustomer(sql), {
      ...ONE_POPPER,
      delivery: { ...delivery, email: MISTYPED },
    })
    await markOrderPaid(sql, order)
    await sql.rows('set constraints all immediate')
    const status = (next: string) =>
      sql.rows('update public.orders set status = $2 where id = $1', [order.id, next])
    await sql.as(admin)
    const change = [
      order.id,
      JSON.stringify({ customer_email: MISTYPED }),
      '{"customer_email": " Thandi@Example.com "}',
    ]
    return { admin, order, change, status }
  }

  test('is corrected until the order is cancelled, also after shipping', async ({ sql }) => {
    const { order, change, status } = await aMistypedOrder(sql)
    await status('shipped')

    await sql.rows(CHANGE, change)
    await sql.rows(CHANGE, change)

    expect(await emailOf(sql, order)).toBe('thandi@example.com')
    expect(await eventOf(sql, order, 'delivery_changed')).toMatchObject({
      before: { customer_email: MISTYPED },
      after: { customer_email: 'thandi@example.com' },
    })
    expect(
      await sql.value(
        `select withheld from public.changes where table_name = 'orders' and withheld @> '{customer_email}'`,
      ),
    ).toEqual(['customer_email'])
  })

  test('is not corrected once the order is cancelled, nor with a malformed or empty one', async ({ sql }) => {
    const { order, change, status } = await aMistypedOrder(sql)
    for (const email of ['thandi', '']) {
      const refused = await sql.refusal(CHANGE, [order.id, '{}', JSON.stringify({ customer_email: email })])
      expect(refused).toMatchObject({ reason: 'invalid_delivery', facts: { email: 'Invalid email address' } })
    }
    await status('cancelled')

    expect((await sql.refusal(CHANGE, change)).reason).toBe('order_has_left')
  })

  test('is not changed by packers, who may correct the rest', async ({ sql }) => {
    const { order, change } = await aMistypedOrder(sql)
    await sql.asShop()
    await sql.as(await aPacker(sql))

    expect((await sql.refusal(CHANGE, change)).code).toBe('42501')
    await sql.rows(CHANGE, [
      order.id,
      '{}',
      JSON.stringify({ customer_email: MISTYPED.toUpperCase(), shipping_city: 'Umhlanga' }),
    ])
    await sql.asShop()
    expect(await emailOf(sql, order)).toBe(MISTYPED)
  })

  test('receives the mails that were not sent yet, and those that are sent again', async ({ sql }) => {
    const { admin, order, change } = await aMistypedOrder(sql)
    await sql.asShop()
    const mails = () =>
      sql.rows(
        `select recipient, status, props ->> 'customerEmail' as customer from public.mails
         where props ->> 'orderId' = $1 order by recipient nulls last, status`,
        [order.id],
      )
    await sql.rows(`update public.mails set status = 'failed', attempts = 44 where recipient = $1`, [
      MISTYPED,
    ])
    const sent = await sql.value<string>(
      `insert into public.mails (key, template, recipient, props, status, sent_at)
       select 'sent', template, recipient, props, 'sent', now() from public.mails where recipient = $1 returning id`,
      [MISTYPED],
    )
    await sql.as(admin)

    await sql.rows(CHANGE, change)
    await sql.rows('select public.resend_mail($1)', [sent])

    await sql.asShop()
    const customer = 'thandi@example.com'
    expect(await mails()).toEqual([
      { recipient: customer, status: 'queued', customer },
      { recipient: customer, status: 'queued', customer },
      { recipient: MISTYPED, status: 'sent', customer: MISTYPED },
      { recipient: null, status: 'queued', customer },
    ])
  })

  test('stays when it is that of the customer’s account', async ({ sql }) => {
    const customer = await aCustomer(sql)
    const admin = await anAdmin(sql)
    const order = await orderOf(sql, customer, {
      ...ONE_POPPER,
      delivery: { ...delivery, email: customer.email },
    })
    await sql.as(admin)

    const refused = await sql.refusal(CHANGE, [order.id, '{}', '{"customer_email": "thandi@example.com"}'])

    expect(refused.reason).toBe('account_address')
  })
})

describe('lines of an order', () => {
  test('are in the order of the cart for the customer and in the mail to the shop', async ({ sql }) => {
    const lines = [popper, riggedStickBait, BLUE_POPPER]
    const names = lines.map(({ product_variant }) => product_variant)
    await sql.as(await aCustomer(sql))
    await sql.rows('select public.merge_cart($1)', [
      JSON.stringify(lines.map((line) => ({ ...line, id: line.product_variant }))),
    ])

    const order = await place(sql, { total: 820 })

    const shown = await sql.value<{ items: { product_variant: string }[] }>('select public.get_order($1)', [
      order.id,
    ])
    expect(shown.items.map((item) => item.product_variant)).toEqual(names)
    expect((await notificationOf(sql, order)).items.map((item) => item.productVariant)).toEqual(names)
  })

  test('have the picture of the lure when their colour has none', async ({ sql }) => {
    await sql.rows(`update public.product_variants set image_url = '' where name = $1`, [
      popper.product_variant,
    ])
    const order = await orderOf(sql, await aCustomer(sql), ONE_POPPER)

    expect(
      await sql.row(
        `select i.image_url = p.image_url as is_of_lure from public.order_items i
         join public.products p on p.id = i.product_id where i.order_id = $1`,
        [order.id],
      ),
    ).toEqual({ is_of_lure: true })
  })
})

describe('mail to the shop about an order', () => {
  test('states phone, note, locker, address, discount and total', async ({ sql }) => {
    await aPromoCode(sql, { code: 'TENNER', discount_type: 'fixed', discount_value: 10 })
    const order = await orderOf(sql, await aCustomer(sql), {
      lines: [popper],
      total: 200,
      promo: 'TENNER',
      delivery: {
        ...delivery,
        shipping_method: 'locker',
        locker_location: 'Gateway Mall',
        notes: 'Ring twice',
      },
    })

    expect(await notificationOf(sql, order)).toMatchObject({
      orderNumber: order.order_number,
      customerName: 'Thandi Mokoena',
      customerEmail: 'thandi@example.com',
      customerPhone: '082 123 4567',
      shippingMethod: 'locker',
      lockerLocation: 'Gateway Mall',
      shippingAddress: '14 Beach Road',
      shippingCity: 'Durban',
      shippingState: 'KwaZulu-Natal',
      shippingZip: '4001',
      notes: 'Ring twice',
      subtotal: 110,
      shippingCost: 100,
      discountAmount: 10,
      totalAmount: 200,
      items: [{ productVariant: popper.product_variant, quantity: 1, price: 110, withHooks: false }],
    })
  })
})

describe('timeline of an order', () => {
  test('names the promo code with which the order was placed', async ({ sql }) => {
    await aPromoCode(sql, { code: 'TENNER', discount_type: 'fixed', discount_value: 10 })
    const order = await orderOf(sql, await aCustomer(sql), { lines: [popper], total: 200, promo: 'TENNER' })

    expect(await eventOf(sql, order, 'placed')).toEqual({ total_amount: 200, promo_code: 'TENNER' })
  })

  test.for([
    ['the customer', aCustomer, 'customer'],
    ['an admin', anAdmin, 'shop'],
  ] as const)('says that %s cancelled the order', async ([, someone, reason], { sql }) => {
    const buyer = await someone(sql)
    const order = await orderOf(sql, buyer, ONE_POPPER)
    await sql.as(buyer)
    await sql.rows(`update public.orders set status = 'cancelled' where id = $1`, [order.id])

    expect(await eventOf(sql, order, 'cancelled')).toEqual({
      from: 'pending_payment',
      to: 'cancelled',
      reason,
    })
  })
})

test('neither expires nor reserves lures any more once it is paid', async ({ sql }) => {
  const order = await orderOf(sql, await aCustomer(sql), ONE_POPPER)
  await markOrderPaid(sql, order)

  expect(
    await sql.row('select expires_at, reserved_until from public.orders where id = $1', [order.id]),
  ).toEqual({ expires_at: null, reserved_until: null })
})
