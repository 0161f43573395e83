import type { SupabaseClient } from '@supabase/supabase-js'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { openPayingShop, type PaymentAttempt, type PayingShop } from '#test/paying-shop.ts'
import type { Person } from '#test/shop.ts'
import { placed, popper, putInCart } from '#test/shopping.ts'

let paying: PayingShop
let admin: Person
beforeAll(async () => {
  paying = await openPayingShop()
  admin = await paying.shop.admin()
})
beforeEach(async () => {
  await paying.shop.database.owner.query('update public.product_variants set stock_quantity = 500')
})
afterAll(() => paying.close())

describe('a payment one rand short', () => {
  it('marks the order as paid and records the shortfall when an admin accepts a short payment', async () => {
    const { order, buyer, paymentId } = await aShortPayment()

    expect(await call('accept_short_payment', { payment_id: paymentId })).toBe('paid')

    expect(await paying.stateOf(order)).toMatchObject({ status: 'new', payments: 1 })
    expect((await buyer.client.rpc('get_order', { order_id: order.id })).data).toMatchObject({
      total_amount: 600,
      waived_amount: 1,
    })
    expect(await paying.issuesOf(order)).toEqual([])
    expect(await paying.mailsOf(order, 'order-confirmation')).toBe(1)
    const { data } = await admin.client
      .from('payment_acceptances')
      .select('shortfall')
      .eq('order_id', order.id)
    expect(data).toEqual([{ shortfall: 1 }])
    expect(await call('accept_short_payment', { payment_id: paymentId })).toBe('order_not_payable')
  })

  it('asks to refund a short payment whose order has no lines any more', async () => {
    const payment = await paying.aPayment()
    await admin.client.from('order_items').delete().eq('order_id', payment.order.id)
    await paying.notify(paying.bodyFor(payment, { amount_gross: '599.00' }))
    const [paymentId = ''] = await paymentsWithIssues(payment.order)

    expect(await call('accept_short_payment', { payment_id: paymentId })).toBe('order_without_items')
    expect(await call('request_top_up', { payment_id: paymentId })).toBe('order_without_items')
  })

  it('refuses to accept a short payment that was partly refunded', async () => {
    const { order, paymentId } = await aShortPayment()
    await call('record_refund', { payment_id: paymentId, amount: 1, reason: 'By mistake' })

    expect(await call('accept_short_payment', { payment_id: paymentId })).toBe('payment_refunded')
    expect(await call('request_top_up', { payment_id: paymentId })).toBe('payment_refunded')
    expect(await paying.stateOf(order)).toMatchObject({ status: 'pending_payment' })
  })

  it('reopens the payment issue each time a refund of the short payment is withdrawn', async () => {
    const { order, paymentId, buyer } = await aShortPayment()
    for (let times = 0; times < 2; times++) {
      // oxlint-disable no-await-in-loop -- one refund after the other
      await call('record_refund', { payment_id: paymentId, amount: 599, reason: 'On the wrong order' })
      expect(await paying.issuesOf(order)).toEqual([])
      const { data: refunds } = await admin.client
        .from('refunds')
        .select('id')
        .match({ order_id: order.id, state: 'done' })

      await call('withdraw_refund', { refund_id: refunds?.[0]?.id, reason: 'It was another order' })

      expect(await paying.issuesOf(order)).toEqual(['wrong_amount'])
      // oxlint-enable no-await-in-loop
    }
    const { data: held } = await buyer.client.from('orders').select('expires_at').eq('id', order.id).single()
    expect(held, 'an order that holds money does not expire').toEqual({ expires_at: null })

    expect(await call('accept_short_payment', { payment_id: paymentId })).toBe('paid')
    expect(await paying.issuesOf(order)).toEqual([])
  })

  it('lets an order expire after its short payment was refunded, even if the notice is repeated', async () => {
    const payment = await aShortPayment()
    await call('record_refund', { payment_id: payment.paymentId, amount: 599, reason: 'A rand was missing' })

    const pf_payment_id = await payfastIdOf(payment.paymentId)
    await paying.notify(paying.bodyFor(payment, { amount_gross: '599.00', pf_payment_id }))

    expect((await paying.stateOf(payment.order)).outcomes.toSorted()).toEqual(['repeated', 'wrong_amount'])
    const { data } = await payment.buyer.client
      .from('orders')
      .select('expires_at')
      .eq('id', payment.order.id)
      .single()
      .throwOnError()
    expect(data.expires_at).not.toBeNull()
  })

  it('does not let an order that holds money expire when its notice is repeated', async () => {
    const payment = await aShortPayment()

    const pf_payment_id = await payfastIdOf(payment.paymentId)
    await paying.notify(paying.bodyFor(payment, { amount_gross: '599.00', pf_payment_id }))

    const { data } = await payment.buyer.client
      .from('orders')
      .select('expires_at')
      .eq('id', payment.order.id)
      .single()
    expect(data).toEqual({ expires_at: null })
  })

  it('refuses to accept or top up a payment that is too high', async () => {
    const { paymentId } = await aShortPayment('601.00')

    expect(await call('accept_short_payment', { payment_id: paymentId })).toBe('payment_not_short')
    expect(await call('request_top_up', { payment_id: paymentId })).toBe('payment_not_short')
  })

  it('cancels a partly paid order only at the customer’s explicit request', async () => {
    const { order, buyer } = await aShortPayment()
    const orders = buyer.client.from('orders')

    await orders.update({ status: 'cancelled' }).eq('id', order.id).eq('status', 'pending_payment')
    expect(await paying.stateOf(order)).toMatchObject({ status: 'pending_payment' })

    expect((await buyer.client.rpc('cancel_own_order', { order_id: order.id })).data).toBe(true)
    expect(await paying.stateOf(order)).toMatchObject({ status: 'cancelled' })
    expect(await paying.issuesOf(order)).toEqual(['wrong_amount'])
    expect((await admin.client.rpc('cancel_own_order', { order_id: order.id })).data).toBe(false)
  })

  it('neither replaces the order nor records a payment by hand while it holds money', async () => {
    const { order, buyer } = await aShortPayment()

    expect(await call('record_payment', { order_id: order.id, way: 'eft' })).toBe('payment_being_confirmed')
    expect(
      await call('place_staff_order', {
        idempotency_key: crypto.randomUUID(),
        wanted: { replaces: order.id },
      }),
    ).toBe('payment_being_confirmed')
    await putInCart(buyer, popper)
    expect((await placed(buyer.client, 710)).id).not.toBe(order.id)

    expect(await paying.stateOf(order)).toMatchObject({ status: 'pending_payment' })
  })

  it('shows the customer the received amount and prevents a second payment until the refund', async () => {
    const { order, buyer, paymentId } = await aShortPayment()
    const show = async () => (await buyer.client.rpc('get_order', { order_id: order.id })).data

    expect(await show()).toMatchObject({ held_amount: 599, may_be_paid: false, is_being_confirmed: false })

    await call('record_refund', { payment_id: paymentId, amount: 599, reason: 'A rand was missing' })
    expect(await show()).toMatchObject({
      held_amount: 0,
      may_be_paid: true,
      refunds: [{ amount: 599 }],
    })
  })

  it('refuses to restock lures with the refund of a short payment', async () => {
    const { order, paymentId } = await aShortPayment()
    const items = await admin.client
      .from('order_items')
      .select('order_item_id:id, quantity')
      .eq('order_id', order.id)

    expect(
      await call('record_refund', {
        payment_id: paymentId,
        amount: 599,
        reason: 'A rand was missing',
        returned: items.data,
      }),
    ).toBe('refund_without_return')
  })
})

describe('a top-up', () => {
  it('marks the order as paid after a top-up of exactly the difference', async () => {
    const payment = await aTopUp()
    expect(await paying.mailsOf(payment.order, 'payment-top-up')).toBe(1)
    expect(payment.form.amount).toBe('1.00')

    await paying.notify(paying.bodyFor(payment))

    expect(await paying.stateOf(payment.order)).toEqual({
      status: 'new',
      payments: 2,
      outcomes: ['paid', 'wrong_amount'],
    })
    expect(await paying.issuesOf(payment.order)).toEqual([])
    expect(await balancesOf(payment)).toEqual([
      { amount_gross: 1, pays_order: true },
      { amount_gross: 599, pays_order: true },
    ])
  })

  it('asks the buyer of a partly paid order for the difference, not the total', async () => {
    const { buyer, order } = await aTopUp()

    const { data } = await buyer.client.rpc('get_order', { order_id: order.id })

    expect(data).toMatchObject({
      amount_due: 1,
      total_amount: 600,
      is_being_confirmed: false,
      expires_at: null,
    })
  })

  it('renews the reservation of an order of several days for its top-up', async () => {
    const payment = await aTopUp()
    const { owner } = paying.shop.database
    await owner.query(`update public.orders set placed_at = now() - interval '4 days' where id = $1`, [
      payment.order.id,
    ])
    await owner.query('delete from public.stock_reservations where order_id = $1', [payment.order.id])

    await due(payment)

    const { rowCount } = await owner.query('select from public.stock_reservations where order_id = $1', [
      payment.order.id,
    ])
    expect(rowCount).toBe(1)
  })

  it('asks for a top-up of R5.00 in live mode, and for no smaller one', async () => {
    const [five, less] = [await aShortPayment('595.00'), await aShortPayment('595.01')]
    await refundWay('payfast')

    expect(await call('request_top_up', { payment_id: five.paymentId })).toMatchObject({ amount: 5 })
    expect(await call('request_top_up', { payment_id: less.paymentId })).toBe('amount_too_small')

    await refundWay('by_hand')
  })

  it('redirects the buyer of a cancelled top-up to the order page', async () => {
    const { order, form } = await aTopUp()

    expect(form.cancel_url).toBe(`https://shop.example/account/orders/${order.id}`)
  })

  it('creates a payment issue for a top-up of the wrong amount', async () => {
    const payment = await aTopUp()

    await paying.notify(paying.bodyFor(payment, { amount_gross: '1.01' }))

    expect(await paying.stateOf(payment.order)).toMatchObject({ status: 'pending_payment', payments: 2 })
    expect(await paying.issuesOf(payment.order)).toEqual(['wrong_amount', 'wrong_amount'])
  })

  it('asks for no second top-up until a top-up of the wrong amount is refunded', async () => {
    const payment = await aTopUp()
    await paying.notify(paying.bodyFor(payment, { amount_gross: '1.01' }))
    const { client } = payment.buyer
    const show = async () => (await client.rpc('get_order', { order_id: payment.order.id })).data
    expect(await show()).toMatchObject({ may_be_paid: false, held_amount: 600.01 })
    await expect(due(payment)).rejects.toThrow()

    const payments = await paymentsWithIssues(payment.order)
    const topUp = payments.find((id) => id !== payment.paymentId)
    await call('record_refund', { payment_id: topUp, amount: 1.01, reason: 'A cent too much' })

    expect(await show()).toMatchObject({ may_be_paid: true, amount_due: 1 })
  })

  it('refuses to send the link to a top-up again after the first payment was refunded', async () => {
    const { order, paymentId } = await aTopUp()
    await paying.shop.runJobs()
    const { data: mail } = await admin.client
      .from('mails')
      .select('id')
      .eq('template', 'payment-top-up')
      .eq('props->>orderId', order.id)
      .single()
      .throwOnError()

    expect(await call('resend_mail', { mail_id: mail.id })).toMatch(/^[0-9a-f-]{36}$/)
    await call('record_refund', { payment_id: paymentId, amount: 599, reason: 'They changed their mind' })

    expect(await call('resend_mail', { mail_id: mail.id })).toBe('mail_is_obsolete')
  })

  it('ignores a top-up with a wrong signature', async () => {
    const payment = await aTopUp()

    expect(await paying.notify(paying.bodyFor(payment, {}, 'a guess'))).toBe(400)

    expect(await paying.stateOf(payment.order)).toMatchObject({ status: 'pending_payment', payments: 1 })
  })

  it('creates a payment issue for a duplicate top-up', async () => {
    const payment = await aTopUp()
    const again = { ...payment, form: await due(payment) }
    await paying.notify(paying.bodyFor(payment))

    await paying.notify(paying.bodyFor(again))

    expect(await paying.stateOf(payment.order)).toMatchObject({ status: 'new', payments: 3 })
    expect(await paying.issuesOf(payment.order)).toEqual(['paid_twice'])
  })

  it('creates a payment issue for a top-up after the first payment was refunded', async () => {
    const payment = await aTopUp()
    await call('record_refund', {
      payment_id: payment.paymentId,
      amount: 599,
      reason: 'They changed their mind',
    })

    await paying.notify(paying.bodyFor(payment))

    expect(await paying.stateOf(payment.order)).toMatchObject({ status: 'pending_payment' })
    expect(await paying.issuesOf(payment.order)).toEqual(['wrong_amount'])
  })

  it('reinstates an order with both payments when an admin accepts a late top-up after restocking', async () => {
    const payment = await aTopUp()
    await payment.buyer.client.rpc('cancel_own_order', { order_id: payment.order.id })
    await paying.shop.database.owner.query('update public.product_variants set stock_quantity = 0')
    await paying.notify(paying.bodyFor(payment))
    expect(await paying.issuesOf(payment.order)).toEqual(['sold_out', 'wrong_amount'])

    await paying.shop.database.owner.query('update public.product_variants set stock_quantity = 500')
    const { data } = await admin.client
      .from('open_payment_issues')
      .select('payment_id')
      .eq('order_id', payment.order.id)
      .eq('kind', 'sold_out')
      .single()
    expect(await call('accept_late_payment', { payment_id: data?.payment_id })).toBe('reinstated')

    expect(await paying.stateOf(payment.order)).toMatchObject({ status: 'new' })
    expect(await paying.issuesOf(payment.order)).toEqual([])
    expect(await balancesOf(payment)).toEqual([
      { amount_gross: 1, pays_order: true },
      { amount_gross: 599, pays_order: true },
    ])
  })

  it('returns the same result when a top-up is requested again', async () => {
    const { paymentId } = await aTopUp()

    expect(await call('request_top_up', { payment_id: paymentId })).toBe('top_up_requested')
  })

  it('requires a refund of both payments when a topped-up order is cancelled', async () => {
    const payment = await aTopUp()
    await paying.notify(paying.bodyFor(payment))

    await admin.client.from('orders').update({ status: 'cancelled' }).eq('id', payment.order.id)

    const { data } = await admin.client
      .from('refund_tasks')
      .select('outstanding')
      .eq('order_id', payment.order.id)
    expect(data).toEqual([{ outstanding: 600 }])
  })
})

it('drops a queued payment reminder when money for the order arrives', async () => {
  const payment = await paying.aPayment()
  const { owner } = paying.shop.database
  await owner.query(`update public.orders set reserved_until = now() - interval '1 day' where id = $1`, [
    payment.order.id,
  ])
  await owner.query('select private.remind_unpaid_orders()')
  expect(await paying.mailsOf(payment.order, 'payment-reminder')).toBe(1)

  await paying.notify(paying.bodyFor(payment, { amount_gross: '599.00' }))

  expect(await paying.mailsOf(payment.order, 'payment-reminder')).toBe(0)
})

it('refuses to restock lures with the refund of a second payment', async () => {
  const payment = await paying.aPayment()
  const { order } = payment
  const form = await paying.askForForm(payment)
  await paying.notify(paying.bodyFor(payment))
  await paying.notify(paying.bodyFor({ form }))
  const items = await admin.client.rpc('returnable_items', { order_id: order.id })
  const [second] = await paymentsWithIssues(order)

  expect(
    await call('record_refund', {
      payment_id: second,
      amount: 600,
      reason: 'Paid twice',
      returned: [{ order_item_id: items.data?.[0]?.order_item_id, quantity: 1 }],
    }),
  ).toBe('refund_without_return')
  expect(
    await call('record_refund', { payment_id: second, amount: 600, reason: 'Paid twice' }),
  ).toMatchObject({
    restocked: false,
  })
  expect(await paying.issuesOf(order)).toEqual([])
})

type ShortPayment = PaymentAttempt & { paymentId: string }

async function aShortPayment(amount_gross = '599.00'): Promise<ShortPayment> {
  const payment = await paying.aPayment()
  await paying.notify(paying.bodyFor(payment, { amount_gross }))
  const [paymentId = ''] = await paymentsWithIssues(payment.order)
  return { ...payment, paymentId }
}

async function refundWay(way: 'payfast' | 'by_hand'): Promise<void> {
  await paying.shop.database.owner.query('select private.set_shop_rules($1)', [{ refund_way: way }])
}

/** Requests a top-up and starts its payment attempt. */
async function aTopUp(): Promise<ShortPayment> {
  const payment = await aShortPayment()
  await call('request_top_up', { payment_id: payment.paymentId })
  return { ...payment, form: await due(payment) }
}

function due({ buyer, order }: PaymentAttempt) {
  return paying.askForForm({ buyer, order: { ...order, total_amount: 1 } })
}

async function payfastIdOf(paymentId: string): Promise<string> {
  const { data } = await admin.client
    .from('payments')
    .select('pf_payment_id')
    .eq('id', paymentId)
    .single()
    .throwOnError()
  return data.pf_payment_id ?? ''
}

async function paymentsWithIssues(order: PaymentAttempt['order']): Promise<string[]> {
  const { data } = await admin.client
    .from('open_payment_issues')
    .select('payment_id')
    .eq('order_id', order.id)
  return (data ?? []).flatMap(({ payment_id }) => payment_id ?? [])
}

async function balancesOf({ order }: PaymentAttempt) {
  const { data } = await admin.client
    .from('payment_balances')
    .select('amount_gross, pays_order')
    .eq('order_id', order.id)
    .order('amount_gross')
  return data
}

/** Returns the function's result, or the error's detail. */
async function call(name: string, given: Record<string, unknown>): Promise<unknown> {
  const client: SupabaseClient = admin.client
  const { data, error } = await client.rpc(name, given)
  return error ? error.details : data
}
