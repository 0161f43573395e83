import { randomUUID } from 'node:crypto'
import { describe, expect } from 'vitest'
import {
  aCustomer,
  anAdmin,
  aPromoCode,
  delivery,
  orderOf,
  pay,
  place,
  placing,
  PLACE_ORDER,
  popper,
  putInCart,
  statusOf,
} from './shopping.ts'
import { type Sql, test } from './sql.ts'

const ONE_POPPER = { lines: [popper], total: 210 }

describe('ordering', () => {
  test('writes each row once, and the timeline begins with it', async ({ sql }) => {
    const buyer = await aCustomer(sql)
    await sql.as(buyer)
    await putInCart(sql, popper)
    await sql.asShop()
    const written = `select n_tup_ins::int as inserted, n_tup_upd::int as updated
      from pg_stat_xact_user_tables where relid = $1::regclass`
    const before = await sql.row<{ inserted: number }>(written, ['public.orders'])
    await sql.as(buyer)
    const order = await place(sql, { total: 210 })
    await sql.asShop()

    expect(await sql.row(written, ['public.orders'])).toEqual({ inserted: before.inserted + 1, updated: 0 })
    expect(
      await sql.rows('select kind, actor_id from public.order_events where order_id = $1', [order.id]),
    ).toEqual([{ kind: 'placed', actor_id: buyer.sub }])
  })

  test('keeps name, address and lines as they were', async ({ sql }) => {
    const buyer = await aCustomer(sql)
    const order = await orderOf(sql, buyer, {
      ...ONE_POPPER,
      delivery: {
        ...delivery,
        address: ' 14  Beach\nRoad ',
        shipping_method: 'locker',
        locker_location: 'Gateway Mall',
        notes: 'Ring\ntwice',
      },
    })

    expect(order).toMatchObject({
      customer_id: buyer.sub,
      status: 'pending_payment',
      customer_name: 'Thandi Mokoena',
      customer_email: 'thandi@example.com',
      customer_phone: '082 123 4567',
      shipping_address: '14 Beach Road',
      shipping_method: 'locker',
      locker_location: 'Gateway Mall',
      notes: 'Ring\ntwice',
      subtotal_amount: '110.00',
      shipping_cost: '100.00',
      total_amount: '210.00',
    })
    expect(
      await sql.row(
        'select product_name, product_variant, price, quantity, with_hooks, image_url from public.order_items where order_id = $1',
        [order.id],
      ),
    ).toEqual({
      ...popper,
      price: '110.00',
      image_url: '/storage/v1/object/public/catalogue/popper-150-red-head.jpg',
    })
  })

  test('twice with one key is one order, also when the cart has changed', async ({ sql }) => {
    const key = randomUUID()
    await sql.as(await aCustomer(sql))
    await putInCart(sql, popper)

    const order = await place(sql, { key, total: 210 })
    await putInCart(sql)

    expect((await place(sql, { key, total: 999 })).id).toBe(order.id)
  })

  test('with a key that somebody else used is an order of its own', async ({ sql }) => {
    const key = randomUUID()
    const first = await orderOf(sql, await aCustomer(sql), { ...ONE_POPPER, key })
    const second = await orderOf(sql, await aCustomer(sql), { ...ONE_POPPER, key })

    expect(second.id).not.toBe(first.id)
  })

  test('the same again with a new key is the order that waits already', async ({ sql }) => {
    await sql.as(await aCustomer(sql))
    await putInCart(sql, popper)

    expect((await place(sql, { total: 210 })).id).toBe((await place(sql, { total: 210 })).id)
  })

  test('something else replaces the order that waits', async ({ sql }) => {
    const buyer = await aCustomer(sql)
    const first = await orderOf(sql, buyer, ONE_POPPER)

    const second = await orderOf(sql, buyer, {
      lines: [{ ...popper, with_hooks: true, price: 142 }],
      total: 352,
    })

    expect(second.id).not.toBe(first.id)
    expect(
      await sql.row('select status, cancellation_reason from public.orders where id = $1', [first.id]),
    ).toEqual({
      status: 'cancelled',
      cancellation_reason: 'replaced',
    })
  })

  test('for nothing is new at once and empties the cart', async ({ sql }) => {
    await aPromoCode(sql, { code: 'GIFT', discount_type: 'fixed', discount_value: 210 })
    const buyer = await aCustomer(sql)

    const order = await orderOf(sql, buyer, { ...ONE_POPPER, total: 0, promo: 'GIFT' })

    expect(order).toMatchObject({ status: 'new', total_amount: '0.00' })
    expect(order['paid_at']).not.toBeNull()
    expect(await sql.rows('select * from public.cart_items where user_id = $1', [buyer.sub])).toEqual([])
  })

  test.for(
    Object.entries({
      full_name: ['T', 'Name must be at least 2 characters'],
      email: ['thandi@', 'Invalid email address'],
      phone: ['082123456', 'Phone number must be at least 10 digits'],
      address: ['14 B', 'Address must be at least 5 characters'],
      city: ['D', 'City must be at least 2 characters'],
      state: [null, 'State/Province must be at least 2 characters'],
      zip_code: ['400', 'Postal code must be at least 4 characters'],
      shipping_method: ['drone', 'Please select a shipping method'],
      notes: ['x'.repeat(501), 'Notes must be less than 500 characters'],
    }),
  )('with a wrong %s says so in the specified words', async ([field, [value, sentence]], { sql }) => {
    await sql.as(await aCustomer(sql))
    await putInCart(sql, popper)

    expect(
      await sql.refusal(PLACE_ORDER, placing({ total: 210, delivery: { ...delivery, [field]: value } })),
    ).toMatchObject({
      code: 'PT422',
      reason: 'invalid_delivery',
      message: 'Please check all required fields',
      facts: { [field]: sentence },
    })
  })

  test('to a locker needs the locker', async ({ sql }) => {
    await sql.as(await aCustomer(sql))

    expect(
      await sql.refusal(PLACE_ORDER, placing({ total: 210, delivery: { shipping_method: 'locker' } })),
    ).toMatchObject({
      facts: {
        locker_location: 'Please specify your nearest locker location',
        email: 'Invalid email address',
      },
    })
  })

  test('needs an account and a key', async ({ sql }) => {
    await sql.as('anon')
    expect(await sql.refusal(PLACE_ORDER, placing({ total: 210 }))).toMatchObject({ code: '42501' })

    await sql.asShop()
    await sql.as(await aCustomer(sql))
    expect(
      await sql.refusal('select public.place_order(null, $1, 1)', [JSON.stringify(delivery)]),
    ).toMatchObject({ reason: 'missing_key' })
  })
})

describe('payment', () => {
  test('takes the bought lines out of the cart and leaves what came later', async ({ sql }) => {
    const buyer = await aCustomer(sql)
    const order = await orderOf(sql, buyer, { lines: [{ ...popper, quantity: 2 }], total: 320 })
    await sql.rows('update public.cart_items set quantity = 3')
    await sql.as(buyer)
    await putInCart(sql)
    await sql.asShop()

    await pay(sql, order)

    expect(
      await sql.rows('select product_name, quantity from public.cart_items order by quantity'),
    ).toMatchObject([{ quantity: 1 }, { quantity: 1 }])
  })

  test('of an order that is not there finds none', async ({ sql }) => {
    expect(await sql.value('select private.mark_order_paid($1, now())', [randomUUID()])).toBe('not_found')
  })

  // covers A12
  test('is the only way from awaiting payment to anything but cancelled', async ({ sql }) => {
    const order = await orderOf(sql, await aCustomer(sql), ONE_POPPER)
    const admin = await anAdmin(sql)
    await sql.as(admin)

    for (const status of ['new', 'processing', 'shipped', 'delivered']) {
      expect(
        await sql.refusal('update public.orders set status = $2 where id = $1', [order.id, status]),
      ).toMatchObject({ code: 'PT409', reason: 'not_paid' })
    }
    await sql.rows(`update public.orders set status = 'cancelled' where id = $1`, [order.id])
    expect(
      await sql.refusal(`update public.orders set status = 'new' where id = $1`, [order.id]),
    ).toMatchObject({ reason: 'not_paid' })
    expect(
      await sql.refusal(`update public.orders set paid_at = now() where id = $1`, [order.id]),
    ).toMatchObject({ code: '42501' })
  })

  // covers A4.2
  test('once made lets staff set any of the five, in any order', async ({ sql }) => {
    const order = await orderOf(sql, await aCustomer(sql), ONE_POPPER)
    await pay(sql, order)
    await sql.as(await anAdmin(sql))

    for (const status of ['shipped', 'processing', 'cancelled', 'new', 'delivered']) {
      await sql.rows('update public.orders set status = $2 where id = $1', [order.id, status])
      expect(await statusOf(sql, order)).toBe(status)
    }
    for (const status of ['pending_payment', 'pending']) {
      expect(
        await sql.refusal('update public.orders set status = $2 where id = $1', [order.id, status]),
      ).toMatchObject({ reason: 'not_a_step' })
    }
    expect(
      await sql.refusal(`update public.orders set status = 'lost' where id = $1`, [order.id]),
    ).toMatchObject({ constraint: 'unknown_status' })
  })
})

describe('cancelling', () => {
  test("is the customer's right until the payment, and says who did it", async ({ sql }) => {
    const buyer = await aCustomer(sql)
    const order = await orderOf(sql, buyer, ONE_POPPER)
    await sql.as(buyer)

    await sql.rows(`update public.orders set status = 'cancelled' where id = $1`, [order.id])

    expect(
      await sql.row('select status, cancellation_reason from public.orders where id = $1', [order.id]),
    ).toEqual({
      status: 'cancelled',
      cancellation_reason: 'customer',
    })
  })

  test("finds nothing to cancel once the order is paid, or is somebody else's", async ({ sql }) => {
    const buyer = await aCustomer(sql)
    const paid = await orderOf(sql, buyer, ONE_POPPER)
    await pay(sql, paid)
    const foreign = await orderOf(sql, await aCustomer(sql), ONE_POPPER)
    await sql.as(buyer)

    for (const order of [paid, foreign]) {
      expect(
        await sql.rows(`update public.orders set status = 'cancelled' where id = $1 returning id`, [
          order.id,
        ]),
      ).toEqual([])
    }
  })

  test('gives the customer no other status and no say about the parcel', async ({ sql }) => {
    const buyer = await aCustomer(sql)
    const order = await orderOf(sql, buyer, ONE_POPPER)
    await sql.as(buyer)

    expect(
      await sql.refusal(`update public.orders set status = 'shipped' where id = $1`, [order.id]),
    ).toMatchObject({ reason: 'not_paid' })
    expect(
      await sql.refusal(
        `update public.orders set status = 'cancelled', tracking_number = 'X' where id = $1`,
        [order.id],
      ),
    ).toMatchObject({ code: '42501' })
    expect(
      await sql.refusal(`update public.orders set total_amount = 1 where id = $1`, [order.id]),
    ).toMatchObject({ code: '42501' })
  })

  test('twice is once', async ({ sql }) => {
    const order = await orderOf(sql, await aCustomer(sql), ONE_POPPER)
    const cancel = () => sql.value(`select private.cancel_order($1, 'shop')`, [order.id])

    expect([await cancel(), await cancel()]).toEqual(['cancelled', 'already_cancelled'])
    expect(await sql.value(`select private.cancel_order($1, 'shop')`, [randomUUID()])).toBe('not_found')
  })
})

describe('an order that nobody pays', () => {
  test('expires with its hold and is left alone before', async ({ sql }) => {
    const order = await orderOf(sql, await aCustomer(sql), ONE_POPPER)
    expect(await sql.value('select private.expire_orders()')).toBe(0)
    await sql.rows(`update public.orders set expires_at = now() - interval '1 second'`)

    expect(await sql.value('select private.expire_orders()')).toBe(1)

    expect(
      await sql.row('select status, cancellation_reason, reserved_until from public.orders where id = $1', [
        order.id,
      ]),
    ).toEqual({
      status: 'cancelled',
      cancellation_reason: 'expired',
      reserved_until: null,
    })
  })

  test('is held and kept anew each time the buyer leaves to pay', async ({ sql }) => {
    const order = await orderOf(sql, await aCustomer(sql), ONE_POPPER)
    await sql.rows(`update public.orders set expires_at = now() + interval '1 minute'`)
    await sql.rows(`update public.stock_reservations set expires_at = now() - interval '1 minute'`)

    expect(await sql.value('select private.renew_reservation($1)', [order.id])).toBe('held')

    expect(
      await sql.row(
        `select expires_at - now() = interval '24 hours' as kept, reserved_until - now() = interval '30 minutes' as held from public.orders where id = $1`,
        [order.id],
      ),
    ).toEqual({ kept: true, held: true })
    await pay(sql, order)
    expect(await sql.value('select private.renew_reservation($1)', [order.id])).toBe('not_waiting')
  })

  test('is kept for three days at most, however often the buyer leaves to pay', async ({ sql }) => {
    const order = await orderOf(sql, await aCustomer(sql), ONE_POPPER)
    const renewAfter = async (age: string) => {
      await sql.rows(`update public.orders set placed_at = now() - $1::interval where id = $2`, [
        age,
        order.id,
      ])
      return sql.value('select private.renew_reservation($1)', [order.id])
    }
    const hoursKept = () =>
      sql.value(
        `select round(extract(epoch from expires_at - now()) / 3600)::int from public.orders where id = $1`,
        [order.id],
      )

    expect([await renewAfter('47 hours'), await hoursKept()]).toEqual(['held', 24])
    expect([await renewAfter('71 hours'), await hoursKept()]).toEqual(['held', 1])
    expect([await renewAfter('72 hours'), await hoursKept()]).toEqual(['not_waiting', 1])
  })
})

describe('the timeline', () => {
  test('tells what happened and who did it', async ({ sql }) => {
    const buyer = await aCustomer(sql)
    const admin = await anAdmin(sql)
    const courier = await sql.value(`select id from public.courier_companies where name = 'The Courier Guy'`)
    const order = await orderOf(sql, buyer, ONE_POPPER)
    await pay(sql, order)
    await sql.as(admin)
    await sql.rows(
      `update public.orders set status = 'shipped', tracking_number = 'TCG1', courier_company_id = $2 where id = $1`,
      [order.id, courier],
    )

    expect(await timelineOf(sql, order.id)).toEqual([
      { kind: 'placed', actor_id: buyer.sub, detail: { total_amount: 210, promo_code: null } },
      { kind: 'paid', actor_id: null, detail: { from: 'pending_payment', to: 'new' } },
      { kind: 'status_changed', actor_id: admin.sub, detail: { from: 'new', to: 'shipped' } },
      {
        kind: 'tracking_changed',
        actor_id: admin.sub,
        detail: { tracking_number: 'TCG1', courier: 'The Courier Guy' },
      },
    ])
  })
})

function timelineOf(sql: Sql, orderId: string) {
  return sql.rows('select kind, actor_id, detail from public.order_events where order_id = $1 order by id', [
    orderId,
  ])
}
