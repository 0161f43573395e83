import type { SupabaseClient } from '@supabase/supabase-js'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openShop, type Person, type TestShop } from '#test/shop.ts'
import { placed, type Placed, popper, putInCart, stickBait } from '#test/shopping.ts'

let shop: TestShop<SupabaseClient>
beforeAll(async () => {
  shop = await openShop()
})
beforeEach(async () => {
  // Leaves one lure in stock, so that one reservation blocks all other buyers.
  await shop.database.owner.query(
    `update public.orders set status = 'cancelled' where status = 'pending_payment'`,
  )
  await shop.database.owner.query('update public.product_variants set stock_quantity = 1')
})
afterAll(() => shop.close())

describe('the reservation time of a customer who never pays', () => {
  it('reserves a lure for at most two hours a day, even after repeated cancelling', async () => {
    const hoarder = await aShopper()
    const buyer = await aShopper()

    let minutesReserved = 0
    for (let round = 0; round < 8; round++) {
      // oxlint-disable no-await-in-loop -- one round after the other
      const order = await placed(hoarder.client, 600)
      if (!(await isSoldOutFor(buyer))) break
      await minutesPass(20)
      minutesReserved += 20
      await cancel(hoarder, order)
      // oxlint-enable no-await-in-loop
    }

    expect(minutesReserved).toBe(120)
    expect((await placed(buyer.client, 600)).status).toBe('pending_payment')
  })

  it('does not extend a reservation beyond the limit by repeated visits to the payment page', async () => {
    const hoarder = await aShopper()
    const buyer = await aShopper()
    const order = await placed(hoarder.client, 600)

    for (let round = 0; round < 5; round++) {
      // oxlint-disable-next-line no-await-in-loop -- one round after the other
      await minutesPass(29)
      // oxlint-disable-next-line no-await-in-loop
      expect(await leaveToPay(hoarder, order)).toBe(200)
    }

    expect(await isSoldOutFor(buyer)).toBe(false)
  })
})

describe('the reservation time of a buyer', () => {
  it('keeps a buyer’s reservation during twenty visits to the payment page', async () => {
    const buyer = await aShopper()
    const order = await placed(buyer.client, 600)

    for (let times = 0; times < 20; times++) {
      // oxlint-disable-next-line no-await-in-loop -- one press after the other
      await minutesPass(1)
      // oxlint-disable-next-line no-await-in-loop
      expect(await leaveToPay(buyer, order)).toBe(200)
    }

    expect(await isSoldOutFor(await aShopper())).toBe(true)
  })

  it('lets a buyer reserve a lure again in the evening', async () => {
    const buyer = await aShopper()
    const order = await placed(buyer.client, 600)
    await minutesPass(9 * 60)

    await leaveToPay(buyer, order)

    expect(await isSoldOutFor(await aShopper())).toBe(true)
  })

  it('counts only reserved time towards the reservation limit, across all orders', async () => {
    const buyer = await aShopper()
    await placed(buyer.client, 600)
    await minutesPass(119)
    await buyer.client.from('cart_items').delete().eq('with_hooks', true)
    await putInCart(buyer, { ...stickBait, with_hooks: false, price: 400 })

    await placed(buyer.client, 500)

    expect(await usedMinutes(buyer)).toBe(30)
  })

  it('accepts a payment after the reservation limit while the lure is available', async () => {
    const buyer = await aShopper()
    const order = await placed(buyer.client, 600)
    await usedUp(buyer)

    expect(await leaveToPay(buyer, order)).toBe(200)
    const { rows } = await shop.database.owner.query<{ outcome: string }>(
      'select private.mark_order_paid($1, now()) as outcome',
      [order.id],
    )

    expect(rows).toEqual([{ outcome: 'paid' }])
  })

  it('resets a customer’s reservation time after a day', async () => {
    const buyer = await aShopper()
    const order = await placed(buyer.client, 600)
    await usedUp(buyer)
    await minutesPass(23 * 60)
    await leaveToPay(buyer, order)
    expect(await isSoldOutFor(await aShopper())).toBe(false)

    await minutesPass(61)
    await leaveToPay(buyer, order)

    expect(await isSoldOutFor(await aShopper())).toBe(true)
  })

  it('resets a customer’s reservation time after an order is paid', async () => {
    const buyer = await aShopper()
    const order = await placed(buyer.client, 600)
    await usedUp(buyer)
    await shop.database.owner.query('select private.mark_order_paid($1, now())', [order.id])
    await shop.database.owner.query('update public.product_variants set stock_quantity = 1')

    await putInCart(buyer)
    await placed(buyer.client, 600)

    expect(await isSoldOutFor(await aShopper())).toBe(true)
  })

  it('does not reset a customer’s reservation time of a lure that was not in the paid order', async () => {
    const buyer = await aShopper()
    const order = await placed(buyer.client, 600)
    const { owner } = shop.database
    await owner.query(
      `insert into private.reservation_time (customer_id, variant_id, reserved_to)
       select $1, id, now() from public.product_variants where name = $2`,
      [buyer.userId, popper.product_variant],
    )

    await owner.query('select private.mark_order_paid($1, now())', [order.id])

    const { rowCount } = await owner.query('select from private.reservation_time where customer_id = $1', [
      buyer.userId,
    ])
    expect(rowCount).toBe(1)
  })
})

async function aShopper(): Promise<Person<SupabaseClient>> {
  const person = await shop.signUp()
  await putInCart(person)
  return person
}

async function isSoldOutFor({ client }: Person<SupabaseClient>): Promise<boolean> {
  const { data, error } = await client.rpc('quote_cart')
  if (error) throw error
  return data.lines[0].problem === 'sold_out'
}

async function leaveToPay({ client }: Person<SupabaseClient>, order: Placed): Promise<number> {
  const { error } = await client.functions.invoke('generate-payfast-payment', {
    body: { orderId: order.id, amount: order.total_amount },
  })
  const status: number = error?.context?.status ?? 200
  return status
}

async function cancel({ client }: Person<SupabaseClient>, order: Placed): Promise<void> {
  const { error } = await client.from('orders').update({ status: 'cancelled' }).eq('id', order.id)
  if (error) throw error
}

/** Moves all timestamps into the past. */
async function minutesPass(minutes: number): Promise<void> {
  const by = `${minutes} minutes`
  for (const statement of [
    'update public.stock_reservations set expires_at = expires_at - $1::interval',
    `update public.orders set reserved_until = reserved_until - $1::interval, placed_at = placed_at - $1::interval,
       expires_at = greatest(expires_at - $1::interval, now() + interval '1 minute') where status = 'pending_payment'`,
    `update private.reservation_time set counted_from = counted_from - $1::interval, reserved_from = reserved_from - $1::interval,
       reserved_to = reserved_to - $1::interval`,
  ]) {
    // oxlint-disable-next-line no-await-in-loop -- three tables
    await shop.database.owner.query(statement, [by])
  }
}

/** Uses up the customer's reservation time. */
async function usedUp({ userId }: Person<SupabaseClient>): Promise<void> {
  await shop.database.owner.query(
    `update private.reservation_time set used = interval '2 hours', reserved_from = now(), reserved_to = now() where customer_id = $1`,
    [userId],
  )
  await shop.database.owner.query(
    `update public.stock_reservations set expires_at = now() where order_id in (select id from public.orders where customer_id = $1)`,
    [userId],
  )
}

async function usedMinutes({ userId }: Person<SupabaseClient>): Promise<number> {
  const { rows } = await shop.database.owner.query<{ minutes: number }>(
    `select extract(epoch from used)::int / 60 as minutes from private.reservation_time where customer_id = $1`,
    [userId],
  )
  return rows[0]?.minutes ?? Number.NaN
}
