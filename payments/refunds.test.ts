import type { PoolClient } from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'

import { inTransaction } from '@saltfreak/backend'
import { quietLog, runDueJobs } from '@saltfreak/backend/testing'
import { customerOrder } from '#domain/order.ts'
import { aBuyer, placeOrder, type Buyer, type BuyerOrder } from '#test/buyer.ts'
import { as, shopDatabase, type TestDatabase } from '#test/database.ts'
import { fakePayfast, type FakePayfast } from '#test/fake-payfast.ts'

import { createPayments, paymentTasks } from './create-payments.ts'
import { sendRefund } from './payfast/send-refund.ts'
import { startPayment } from './payfast/start-payment.ts'

let shop: TestDatabase
let payfast: FakePayfast
let admin: Buyer

beforeAll(async () => {
  shop = await shopDatabase()
  payfast = await fakePayfast()
  await shop.database.owner.query('update public.product_variants set stock_quantity = 500')
  admin = await aBuyer(shop.database)
  await shop.database.owner.query(`insert into public.user_roles (user_id, role) values ($1, 'admin')`, [
    admin.userId,
  ])
})
beforeEach(async () => {
  payfast.api.refunds = 'succeeds'
  await isLive(true)
})
afterAll(async () => {
  await payfast.close()
  await shop.close()
})

describe('a refund in live mode', () => {
  // covers A14
  it('sends a signed refund in cents to PayFast and e-mails the buyer', async () => {
    const { order, paymentId, pfPaymentId, buyer } = await aPaidOrder()

    const refund = await record(paymentId, '100.50')
    expect(await stateOf(refund)).toBe('requested')
    expect(await mailsTo(buyer)).toEqual([])
    await runJobs()

    expect(givenBackOf(pfPaymentId)).toEqual([100_50])
    expect(payfast.api.calls.slice(-2)).toMatchObject([
      { path: `/refunds/query/${pfPaymentId}`, isSigned: true },
      { path: `/refunds/${pfPaymentId}`, isSigned: true },
    ])
    expect(await stateOf(refund)).toBe('done')
    expect(await mailsTo(buyer)).toEqual([{ amount: '100.50', way: 'payfast' }])
    expect(await timelineOf(order)).toEqual(['refund_requested', 'refunded'])
  })

  it('calls a refund done on the customer’s order page only once PayFast has refunded it', async () => {
    const { order, paymentId, buyer } = await aPaidOrder()
    const shown = () =>
      inTransaction(shop.database.owner, async (client) => {
        await as(client, { sub: buyer.userId })
        const { rows } = await client.query('select public.get_order($1) as document', [order.id])
        return customerOrder(rows[0].document).refunds
      })
    await record(paymentId, '100.50')
    expect(await shown()).toMatchObject([{ cents: 100_50, doneAt: null }])

    await runJobs()

    expect(await shown()).toMatchObject([{ cents: 100_50, doneAt: expect.any(String) }])
  })

  it('names the request of the admin in the e-mail about the refund, also when PayFast answers later', async () => {
    const { paymentId, buyer } = await aPaidOrder()
    payfast.api.refunds = 'succeeds without a response'
    await inTransaction(shop.database.owner, async (client) => {
      await client.query(`select set_config('request.id', 'click-1', true)`)
      await as(client, { sub: admin.userId })
      await client.query(`select public.record_refund($1, 10, 'Bent hook', '[]', null)`, [paymentId])
    })
    await runJobs()
    payfast.api.refunds = 'succeeds'
    await shop.database.owner.query('update graphile_worker._private_jobs set run_at = now()')
    await runJobs()

    const { rows } = await shop.database.owner.query(
      `select request_id from public.mails where template = 'refund' and recipient = $1`,
      [buyer.email],
    )
    expect(rows).toEqual([{ request_id: 'click-1' }])
  })

  it('sends a refund once even if the job runs repeatedly', async () => {
    const { paymentId, pfPaymentId } = await aPaidOrder()
    const refund = await record(paymentId, '40.00')

    await runJobs()
    await sendAgain(refund)
    await sendAgain(refund)

    expect(givenBackOf(pfPaymentId)).toHaveLength(1)
    expect(await stepsOf(refund)).toEqual(['requested', 'sent', 'done'])
  })

  it('sends a refund once when two runs of its job send it at the same time', async () => {
    const { paymentId } = await aPaidOrder()
    const refund = await record(paymentId, '40.00')
    const claim = () =>
      shop.database.owner.query<{ is_claimed: boolean }>(
        'select private.claim_refund($1, 240) as is_claimed',
        [refund],
      )

    const claims = await Promise.all([claim(), claim()])

    expect(claims.filter(({ rows }) => rows[0]?.is_claimed)).toHaveLength(1)
    expect(await stepsOf(refund)).toEqual(['requested', 'sent'])
  })

  // covers A14
  it('never refunds more than the payment, even in parts or by two concurrent admins', async () => {
    const { paymentId, pfPaymentId } = await aPaidOrder()

    const both = await Promise.allSettled([record(paymentId, '140.00'), record(paymentId, '140.00')])
    await runJobs()
    await record(paymentId, '100.00')
    await runJobs()

    expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(givenBackOf(pfPaymentId)).toEqual([140_00, 100_00])
    await expect(record(paymentId, '0.01')).rejects.toMatchObject({
      code: 'PT409',
      detail: 'refund_exceeds_payment',
      hint: '{"refundable": 0.00}',
    })
  })

  it('restocks returned lures when a refund is requested, even if the refund fails', async () => {
    payfast.api.refunds = 'rejects'
    const { order, paymentId } = await aPaidOrder()
    const before = await stockOf(order)

    const { rows } = await shop.database.owner.query(
      'select id as order_item_id, quantity from public.order_items where order_id = $1',
      [order.id],
    )
    await record(paymentId, '240.00', { returned: rows })
    await runJobs()

    expect(await stockOf(order)).toBe(before + 1)
  })

  it('records a refund by hand in live mode', async () => {
    const { paymentId, buyer, pfPaymentId } = await aPaidOrder()

    const refund = await record(paymentId, '240.00', { way: 'by_hand' })
    await runJobs()

    expect(await stateOf(refund)).toBe('done')
    expect(givenBackOf(pfPaymentId)).toEqual([])
    expect(await mailsTo(buyer)).toEqual([{ amount: '240.00', way: 'by_hand' }])
  })
})

describe('a refused refund', () => {
  it('creates a payment issue with PayFast’s message when a refund fails, and allows a retry', async () => {
    payfast.api.refunds = 'rejects'
    const { order, paymentId, buyer, pfPaymentId } = await aPaidOrder()

    const refund = await record(paymentId, '240.00')
    await runJobs()

    expect(await stateOf(refund)).toBe('failed')
    expect(await issuesOf(order)).toEqual([
      { kind: 'refund_failed', refund_id: refund, words: 'HTTP 400: The wallet has not enough funds.' },
    ])
    expect(await balanceOf(paymentId)).toEqual({ given_back: '0', on_its_way: '0', refundable: '240.00' })
    expect(await mailsTo(buyer)).toEqual([])

    payfast.api.refunds = 'succeeds'
    await call('retry_refund($1)', [refund])
    await runJobs()

    expect(await stateOf(refund)).toBe('done')
    expect(await issuesOf(order)).toEqual([])
    expect(givenBackOf(pfPaymentId)).toHaveLength(1)
  })

  it('refuses to retry a failed refund after its amount was refunded by hand', async () => {
    payfast.api.refunds = 'rejects'
    const { paymentId } = await aPaidOrder()
    const refund = await record(paymentId, '240.00')
    await runJobs()
    await record(paymentId, '200.00', { way: 'by_hand' })

    await expect(call('retry_refund($1)', [refund])).rejects.toMatchObject({
      detail: 'refund_exceeds_payment',
    })
    await expect(call(`settle_refund($1, 'done', 'By EFT')`, [refund])).rejects.toMatchObject({
      detail: 'refund_exceeds_payment',
    })
  })

  it('mails no PayFast for a refused refund that was paid by EFT', async () => {
    payfast.api.refunds = 'rejects'
    const { paymentId, buyer } = await aPaidOrder()
    const refund = await record(paymentId, '240.00')
    await runJobs()

    await call(`settle_refund($1, 'done', 'By EFT, FNB 4711')`, [refund])

    expect(await mailsTo(buyer)).toEqual([{ amount: '240.00', way: 'by_hand' }])
    expect(await call('refunds where id = $1', [refund])).toMatchObject([
      { state: 'done', way: 'payfast', paid_by_hand: true },
    ])
  })

  it('gives an order its lures back when a refund that PayFast refused is withdrawn', async () => {
    payfast.api.refunds = 'rejects'
    const { order, buyer, paymentId } = await aPaidOrder()
    const before = await stockOf(order)
    const { rows: returned } = await shop.database.owner.query(
      'select id as order_item_id, quantity from public.order_items where order_id = $1',
      [order.id],
    )
    const refund = await record(paymentId, '240.00', { returned })
    await runJobs()
    expect(await stateOf(refund)).toBe('failed')

    await call(`withdraw_refund($1, 'It was for another order')`, [refund])

    expect(await stepsOf(refund)).toEqual(['requested', 'sent', 'failed', 'withdrawn'])
    expect(await stockOf(order)).toBe(before)
    const { rows } = await shop.database.owner.query(
      'select returned_quantity from public.order_items where order_id = $1',
      [order.id],
    )
    expect(rows).toEqual([{ returned_quantity: 0 }])
    expect(await issuesOf(order)).toEqual([])
    expect(await mailsTo(buyer, 'refund-correction')).toEqual([])
    expect(await balanceOf(paymentId)).toEqual({ given_back: '0', on_its_way: '0', refundable: '240.00' })
    await expect(call('retry_refund($1)', [refund])).rejects.toMatchObject({ detail: 'refund_not_failed' })
  })

  it('does not reopen the issue of a payment that was refunded by hand when its failed refund is withdrawn', async () => {
    payfast.api.refunds = 'rejects'
    const { order, paymentId } = await aPaidOrder({ paid: '200.00' })
    const refund = await record(paymentId, '200.00')
    await runJobs()
    await record(paymentId, '200.00', { way: 'by_hand' })

    await call(`withdraw_refund($1, 'Paid back by EFT')`, [refund])

    expect(await issuesOf(order)).toEqual([])
    const { rows } = await shop.database.owner.query(
      'select expires_at is not null as expires from public.orders where id = $1',
      [order.id],
    )
    expect(rows).toEqual([{ expires: true }])
  })

  it.each([
    { what: 'all', refused: '380.00', byHand: '380.00', lures: 0 },
    { what: 'part', refused: '140.00', byHand: '140.00', lures: 0 },
    { what: 'the price of the lure, a part', refused: '380.00', byHand: '140.00', lures: 0 },
    { what: 'part, with that of another lure,', refused: '140.00', byHand: '280.00', lures: 1 },
    {
      what: 'part, with that of another lure at half price,',
      refused: '70.00',
      byHand: '140.00',
      lures: 1,
      isHalfPrice: true,
    },
    { what: 'so much', refused: '140.00', byHand: '260.00', lures: 1 },
  ])(
    'refuses to put lures back on an order when $what of its money, which PayFast refused to refund, went back by hand',
    async (refunds) => {
      const { refund, backInStock } = await refundRefusedAndByHand(refunds)

      await expect(call(`withdraw_refund($1, 'Paid back by EFT')`, [refund])).rejects.toMatchObject({
        detail: 'refund_exceeds_payment',
        message: expect.stringContaining('the lures stay off the order'),
      })

      expect(await backInStock()).toBe(1 + refunds.lures)
      expect(await stateOf(refund)).toBe('failed')
    },
  )

  it.each([
    { refused: '140.00', byHand: '20.00', lures: 0 },
    { refused: '380.00', byHand: '20.00', lures: 0 },
    { refused: '140.00', byHand: '140.00', lures: 1 },
  ])(
    'puts lures of R$refused back on an order whose later refund by hand of R$byHand was for something else',
    async (refunds) => {
      const { refund, backInStock } = await refundRefusedAndByHand(refunds)

      await call(`withdraw_refund($1, 'The customer keeps them')`, [refund])

      expect(await backInStock()).toBe(refunds.lures)
    },
  )

  it('neither sends nor withdraws the second of two refused refunds after both were paid back by hand', async () => {
    payfast.api.refunds = 'rejects'
    const { paymentId, returned, backInStock } = await anOrderOfTwo()
    const refuse = async () => {
      const refund = await record(paymentId, '140.00', { returned: returned(1) })
      await runJobs()
      await record(paymentId, '140.00', { way: 'by_hand' })
      return refund
    }
    await refuse()
    const second = await refuse()

    const refusal = { detail: 'refund_exceeds_payment' }
    await expect(call('retry_refund($1)', [second])).rejects.toMatchObject(refusal)
    await expect(call(`withdraw_refund($1, 'The customer keeps it')`, [second])).rejects.toMatchObject(
      refusal,
    )
    expect(await backInStock()).toBe(2)
  })

  it('refuses to put lures back on an order whose older refused refund was retried with success since', async () => {
    payfast.api.refunds = 'rejects'
    const { paymentId, pfPaymentId, returned, backInStock } = await anOrderOfTwo()
    const older = await record(paymentId, '140.00')
    const refund = await record(paymentId, '140.00', { returned: returned(1) })
    await runJobs()
    payfast.api.refunds = 'succeeds'
    payfast.api.balances.set(pfPaymentId, 380_00)
    await call('retry_refund($1)', [older])
    await runJobs()
    expect(await stateOf(older)).toBe('done')

    await expect(call(`withdraw_refund($1, 'The customer keeps it')`, [refund])).rejects.toMatchObject({
      detail: 'refund_exceeds_payment',
    })

    expect(await backInStock()).toBe(1)
  })

  it.each([
    { what: 'is sent again', statement: 'retry_refund($1)' },
    { what: 'counts as paid', statement: `settle_refund($1, 'done', 'Paid by EFT')` },
  ])('no refused refund $what whose lures were paid back by hand since', async ({ statement }) => {
    const { refund } = await refundRefusedAndByHand({ refused: '140.00', byHand: '140.00', lures: 0 })

    await expect(call(statement, [refund])).rejects.toMatchObject({
      detail: 'refund_exceeds_payment',
      message: expect.stringContaining('If you owe both, record a new refund without lures'),
    })

    expect(await stateOf(refund)).toBe('failed')
  })

  it('keeps an order cancelled whose refund PayFast refused after the cancellation and which was then refunded by hand', async () => {
    payfast.api.refunds = 'rejects'
    const { order, paymentId } = await aPaidOrder()
    await record(paymentId, '100.00')
    await call(`set_order_statuses($1, 'cancelled')`, [[order.id]])
    await runJobs()

    await record(paymentId, '100.00', { way: 'by_hand' })

    await expect(
      inTransaction(shop.database.owner, async (client) => {
        await as(client, { sub: admin.userId })
        await client.query(`update public.orders set status = 'new' where id = $1`, [order.id])
      }),
    ).rejects.toMatchObject({ detail: 'order_refunded' })
  })

  it('marks a refund as failed when PayFast requires a bank account', async () => {
    payfast.api.refunds = 'requires a bank account'
    const { paymentId } = await aPaidOrder()

    const refund = await record(paymentId, '240.00')
    await runJobs()

    expect(await stepsOf(refund)).toEqual(['requested', 'failed'])
  })
})

describe('a refund with a lost response', () => {
  it('does not resend a refund that PayFast accepted', async () => {
    payfast.api.refunds = 'succeeds without a response'
    const { paymentId, buyer, pfPaymentId } = await aPaidOrder()
    const refund = await record(paymentId, '100.00')
    await runJobs()
    expect(await stateOf(refund)).toBe('unknown')
    expect(await balanceOf(paymentId)).toMatchObject({ on_its_way: '100.00', refundable: '140.00' })

    payfast.api.refunds = 'succeeds'
    await sendAgain(refund)

    expect(await stateOf(refund)).toBe('done')
    expect(givenBackOf(pfPaymentId)).toHaveLength(1)
    expect(await mailsTo(buyer)).toHaveLength(1)
  })

  it('does not take the balance of another refund for its own', async () => {
    const { paymentId, pfPaymentId } = await aPaidOrder()
    const first = await record(paymentId, '30.00')
    const second = await record(paymentId, '30.00')
    const answer = payfast.api.answer.bind(payfast.api)
    // The balance that the second refund asks for arrives when the first one is done.
    payfast.api.answer = async (request, response) => {
      payfast.api.answer = answer
      await send(first)
      payfast.api.refunds = 'connection lost'
      payfast.api.balances.set(pfPaymentId, 240_00)
      await answer(request, response)
      payfast.api.balances.set(pfPaymentId, 210_00)
    }

    await send(second)
    payfast.api.refunds = 'succeeds'
    await sendAgain(second)

    expect([await stateOf(first), await stateOf(second)]).toEqual(['done', 'done'])
    expect(givenBackOf(pfPaymentId)).toEqual([30_00, 30_00])
  })

  it('resends a refund only when PayFast’s balance has not changed for an hour', async () => {
    payfast.api.refunds = 'connection lost'
    const { paymentId, pfPaymentId } = await aPaidOrder()
    const refund = await record(paymentId, '100.00')
    await runJobs()

    payfast.api.refunds = 'succeeds'
    await sendAgain(refund)
    expect(await stateOf(refund)).toBe('unknown')
    expect(givenBackOf(pfPaymentId)).toEqual([])

    await minutesPass(refund, 59)
    await sendAgain(refund)
    expect(givenBackOf(pfPaymentId)).toEqual([])

    await minutesPass(refund, 2)
    await sendAgain(refund)

    expect(await stateOf(refund)).toBe('done')
    expect(givenBackOf(pfPaymentId)).toHaveLength(1)
    const steps = ['requested', 'sent', 'unknown', 'unknown', 'unknown', 'sent', 'done']
    expect(await stepsOf(refund)).toEqual(steps)
  })

  it('marks a refund as failed and creates a payment issue after three failed attempts', async () => {
    payfast.api.refunds = 'connection lost'
    const { order, paymentId } = await aPaidOrder()
    const refund = await record(paymentId, '100.00')
    await runJobs()

    for (let times = 0; times < 3; times++) {
      // oxlint-disable-next-line no-await-in-loop -- one hour after the other
      await minutesPass(refund, 61)
      // oxlint-disable-next-line no-await-in-loop
      await sendAgain(refund)
    }

    expect(await stateOf(refund)).toBe('failed')
    expect((await stepsOf(refund)).filter((state) => state === 'sent')).toHaveLength(3)
    expect(await issuesOf(order)).toMatchObject([{ kind: 'refund_failed' }])

    await call('retry_refund($1)', [refund])
    await runJobs()
    await minutesPass(refund, 61)
    await sendAgain(refund)
    expect(await stateOf(refund), 'a retry has three attempts of its own').toBe('unknown')
  })

  it('checks PayFast’s balance instead of resending a refund when the process died after sending', async () => {
    const { paymentId, pfPaymentId } = await aPaidOrder()
    const refund = await record(paymentId, '100.00')
    await shop.database.owner.query('select private.claim_refund($1, 240)', [refund])
    payfast.api.balances.set(pfPaymentId, 140_00)

    await runJobs()

    expect(await stateOf(refund)).toBe('done')
    expect(givenBackOf(pfPaymentId)).toEqual([])
    await shop.database.owner.query(`select private.fail_refund($1, 'A late refusal')`, [refund])
    expect(await stateOf(refund)).toBe('done')
  })

  it('refuses to settle a refund that is being sent', async () => {
    const { paymentId } = await aPaidOrder()
    const refund = await record(paymentId, '100.00')
    await shop.database.owner.query('select private.claim_refund($1, 240)', [refund])

    await expect(call(`settle_refund($1, 'failed', 'I looked')`, [refund])).rejects.toMatchObject({
      detail: 'refund_in_progress',
    })
  })

  it('continues a refund whose job was lost until the refund is done', async () => {
    payfast.api.refunds = 'connection lost'
    const { paymentId, pfPaymentId } = await aPaidOrder()
    const refund = await record(paymentId, '100.00')
    await runJobs()
    expect(await stateOf(refund)).toBe('unknown')

    expect(await isRestarted(refund)).toBe(true)
    payfast.api.balances.set(pfPaymentId, 140_00)
    await runJobs()
    expect(await stateOf(refund)).toBe('done')

    expect(await isRestarted(refund)).toBe(false)
  })

  it('delays the next refund of a payment while an earlier refund’s result is unknown', async () => {
    payfast.api.refunds = 'connection lost'
    const { paymentId, pfPaymentId } = await aPaidOrder()
    const first = await record(paymentId, '100.00')
    await runJobs()

    payfast.api.refunds = 'succeeds'
    const second = await record(paymentId, '100.00')
    await runJobs()

    expect(await stateOf(first)).toBe('unknown')
    expect(await stateOf(second)).toBe('requested')
    expect(givenBackOf(pfPaymentId)).toEqual([])
  })

  it('lets an admin settle a refund when PayFast’s balance changed by another amount', async () => {
    payfast.api.refunds = 'connection lost'
    const { paymentId, pfPaymentId, order } = await aPaidOrder()
    const refund = await record(paymentId, '100.00')
    await runJobs()
    payfast.api.balances.set(pfPaymentId, 215_00)

    for (let times = 0; times < 5; times++) {
      // oxlint-disable-next-line no-await-in-loop -- one question after the other
      await sendAgain(refund)
    }
    expect(await stateOf(refund)).toBe('unknown')
    expect(await issuesOf(order)).toMatchObject([{ kind: 'refund_unknown', refund_id: refund }])

    await call(`settle_refund($1, 'failed', 'Only R25 went back, on the dashboard')`, [refund])

    expect(await stateOf(refund)).toBe('failed')
    expect(await issuesOf(order)).toEqual([])
    await expect(call(`settle_refund($1, 'failed', 'Again')`, [refund])).rejects.toMatchObject({
      detail: 'refund_settled',
    })
  })
})

describe('an outcome that an admin recorded', () => {
  it('mails PayFast as the way of a refund without a clear answer that its dashboard shows as paid', async () => {
    payfast.api.refunds = 'connection lost'
    const { paymentId, buyer } = await aPaidOrder()
    const refund = await record(paymentId, '100.00')
    await runJobs()

    await call(`settle_refund($1, 'done', 'It is on the dashboard')`, [refund])

    expect(await mailsTo(buyer)).toEqual([{ amount: '100.00', way: 'payfast' }])
    expect(await call('refunds where id = $1', [refund])).toMatchObject([{ paid_by_hand: false }])
  })

  it.each(['rejects', 'connection lost'] as const)(
    'withdraws an outcome that an admin recorded by mistake (PayFast: %s)',
    async (behaviour) => {
      payfast.api.refunds = behaviour
      const { order, paymentId, buyer } = await aPaidOrder()
      const refund = await record(paymentId, '240.00')
      await runJobs()
      await call(`settle_refund($1, 'done', 'Paid by EFT')`, [refund])
      expect(await balanceOf(paymentId)).toMatchObject({ given_back: '240.00', refundable: '0.00' })

      await call(`withdraw_refund($1, 'The EFT was for another order')`, [refund])

      expect((await stepsOf(refund)).slice(-2)).toEqual(['done', 'withdrawn'])
      expect(await balanceOf(paymentId)).toEqual({ given_back: '0', on_its_way: '0', refundable: '240.00' })
      expect(await timelineOf(order)).toContain('refund_withdrawn')
      expect(await correctionsTo(buyer)).toEqual([{ is_of_the_mail: true }])
      await sendAgain(refund)
      expect(await stateOf(refund)).toBe('withdrawn')
    },
  )
})

describe('a refund during a PayFast outage', () => {
  it('creates a payment issue after an hour of PayFast outage and sends the refund afterwards', async () => {
    payfast.api.refunds = 'blocked by firewall'
    const { order, paymentId, pfPaymentId } = await aPaidOrder()
    const refund = await record(paymentId, '240.00')

    for (let times = 0; times < 6; times++) {
      // oxlint-disable-next-line no-await-in-loop -- one question after the other
      await sendAgain(refund)
    }
    expect(await stateOf(refund)).toBe('requested')
    expect(await issuesOf(order)).toMatchObject([{ kind: 'refund_unknown' }])

    payfast.api.refunds = 'succeeds'
    await sendAgain(refund)

    expect(await stateOf(refund)).toBe('done')
    expect(givenBackOf(pfPaymentId)).toHaveLength(1)
    expect(await issuesOf(order)).toEqual([])
  })
})

describe('other refunds', () => {
  it('allows only refunds by hand in a shop without live payments', async () => {
    await isLive(false)
    const { paymentId } = await aPaidOrder()

    await expect(record(paymentId, '1.00', { way: 'payfast' })).rejects.toMatchObject({
      code: 'PT409',
      detail: 'refund_by_hand',
    })
    const refund = await record(paymentId, '1.00')

    expect(await stateOf(refund)).toBe('done')
  })

  it.each(['retry_refund($1)', `settle_refund($1, 'done', 'I looked')`, `withdraw_refund($1, 'A mistake')`])(
    'denies customers the refund function %s',
    async (text) => {
      const { paymentId, buyer } = await aPaidOrder()
      const refund = await record(paymentId, '1.00')

      await expect(call(text, [refund], buyer)).rejects.toMatchObject({ code: '42501' })
    },
  )

  it.each(['', 'ab', 'two\nlines'])('refuses to settle a refund with the note %j', async (note) => {
    const { paymentId } = await aPaidOrder()
    const refund = await record(paymentId, '1.00')

    await expect(call(`settle_refund($1, 'done', $2)`, [refund, note])).rejects.toMatchObject({
      detail: 'invalid_settlement',
    })
  })

  it('subtracts a refund from the refund task when the order is cancelled concurrently', async () => {
    await isLive(false)
    const { order, paymentId } = await aPaidOrder()
    const cancelling = await shop.database.owner.connect()
    await cancelling.query('begin')
    await cancelling.query(`update public.orders set status = 'cancelled' where id = $1`, [order.id])

    const refund = record(paymentId, '100.00')
    // A refund that does not wait for the order fails the assertion below.
    await Promise.race([refund, vi.waitUntil(somebodyWaits, { timeout: 30_000 })]).finally(async () => {
      await cancelling.query('commit')
      cancelling.release()
    })
    await refund

    const { rows } = await shop.database.owner.query(
      'select amount, outstanding from public.refund_tasks where order_id = $1',
      [order.id],
    )
    expect(rows).toEqual([{ amount: '240.00', outstanding: '140.00' }])
  })

  it('withdraws a refund once when two admins withdraw the refund concurrently', async () => {
    await isLive(false)
    const { order, buyer, paymentId } = await aPaidOrder()
    const refund = await record(paymentId, '100.00')
    const withdraw = () => call(`withdraw_refund($1, 'Recorded on the wrong order')`, [refund])

    const both = await Promise.allSettled([withdraw(), withdraw()])

    expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(both.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'PT409', detail: 'refund_withdrawn' },
    })
    expect(await stepsOf(refund)).toEqual(['done', 'withdrawn'])
    expect(await balanceOf(paymentId)).toEqual({ given_back: '0', on_its_way: '0', refundable: '240.00' })
    expect(await mailsTo(buyer, 'refund-correction')).toHaveLength(1)
    expect(await timelineOf(order)).toEqual(['refunded', 'refund_withdrawn'])
  })

  it('refuses to withdraw a refund that was sent through PayFast', async () => {
    const { paymentId } = await aPaidOrder()
    const refund = await record(paymentId, '100.00')
    const withdraw = () => call(`withdraw_refund($1, 'Recorded by mistake')`, [refund])
    const refusal = { code: 'PT409', detail: 'refund_not_by_hand' }

    await expect(withdraw()).rejects.toMatchObject(refusal)
    await runJobs()

    await expect(withdraw()).rejects.toMatchObject(refusal)
    expect(await stateOf(refund)).toBe('done')
  })

  it('refuses to delete an order until all payments are refunded', async () => {
    await isLive(false)
    const { order, paymentId } = await aPaidOrder()
    const remove = () => shop.database.owner.query('delete from public.orders where id = $1', [order.id])
    await record(paymentId, '239.99')
    await expect(remove()).rejects.toMatchObject({ code: 'PT409', detail: 'order_holds_money' })

    await record(paymentId, '0.01')

    expect((await remove()).rowCount).toBe(1)
  })

  it('prevents changes to the recorded states of refunds', async () => {
    const { order, paymentId } = await aPaidOrder()
    const { rows: returned } = await shop.database.owner.query(
      'select id as order_item_id, 1 as quantity from public.order_items where order_id = $1',
      [order.id],
    )
    await record(paymentId, '1.00', { returned })

    for (const statement of [
      'update public.payment_refunds set amount = amount',
      'delete from public.payment_refunds',
      'update public.payment_refund_items set quantity = quantity',
      'delete from public.payment_refund_items',
      `update public.payment_refund_events set state = 'done'`,
      'delete from public.payment_refund_events',
    ]) {
      // oxlint-disable-next-line no-await-in-loop -- each statement must fail separately
      await expect(shop.database.owner.query(statement)).rejects.toMatchObject({ code: '23001' })
    }
  })
})

interface Paid {
  order: BuyerOrder
  buyer: Buyer
  paymentId: string
  pfPaymentId: string
}

interface PaidOptions {
  paid?: string
  quantity?: number
  promoCode?: string
}

/** Pays an order like a buyer: an attempt, a notice over HTTP, and its check. */
async function aPaidOrder({ paid = '240.00', quantity = 1, promoCode }: PaidOptions = {}): Promise<Paid> {
  const { database } = shop
  const buyer = await aBuyer(database)
  const order = await placeOrder(database, buyer, { quantity, promoCode })
  const customer = { id: order.id, customerName: null, customerEmail: null, customerPhone: null }
  const { paymentData } = await startPayment(customer, {
    database,
    publicUrl: 'http://localhost:3000',
    payfast: payfast.account,
  })
  const body = payfast.notice({ m_payment_id: paymentData.m_payment_id ?? '', amount_gross: paid })
  const payments = createPayments({
    owner: database.owner,
    account: payfast.account,
    consumeBadSignatureLimit: async () => true,
    log: quietLog,
  })
  await payments.request('/payfast/notice', { method: 'POST', body })
  await runJobs()
  const { rows } = await database.owner.query<{ id: string; pf_payment_id: string }>(
    'select id, pf_payment_id from public.payments where order_id = $1',
    [order.id],
  )
  const { id: paymentId = '', pf_payment_id: pfPaymentId = '' } = rows[0] ?? {}
  payfast.api.balances.set(pfPaymentId, 240_00)
  return { order, buyer, paymentId, pfPaymentId }
}

function call<Row extends object>(text: string, values: unknown[], who = admin): Promise<Row[]> {
  return inTransaction(shop.database.owner, async (client: PoolClient) => {
    await as(client, { sub: who.userId })
    return (await client.query<Row>(`select * from public.${text}`, values)).rows
  })
}

async function record(
  paymentId: string,
  amount: string,
  { returned = [], way = null }: { returned?: unknown[]; way?: string | null } = {},
): Promise<string> {
  const rows = await call<{ id: string }>(`record_refund($1, $2, 'Bent hook', $3, $4)`, [
    paymentId,
    amount,
    JSON.stringify(returned),
    way,
  ])
  return rows[0]?.id ?? ''
}

/** PayFast refuses a refund of one of two lures, then one is made by hand with so many of them. */
async function refundRefusedAndByHand(refunds: {
  refused: string
  byHand: string
  lures: number
  isHalfPrice?: boolean
}) {
  payfast.api.refunds = 'rejects'
  const { paymentId, returned, backInStock } = await anOrderOfTwo(refunds)
  const refund = await record(paymentId, refunds.refused, { returned: returned(1) })
  await runJobs()
  await record(paymentId, refunds.byHand, { way: 'by_hand', returned: returned(refunds.lures) })
  return { refund, backInStock }
}

/** A paid order of two lures of R140 each, or R70 with a code, and R100 for shipping. */
async function anOrderOfTwo({ isHalfPrice = false } = {}) {
  const { database } = shop
  await database.owner.query(
    `insert into public.promo_codes (code, discount_type, discount_value) values ('HALF', 'percentage', 50)
     on conflict do nothing`,
  )
  const { order, paymentId, pfPaymentId } = await aPaidOrder(
    isHalfPrice ? { paid: '240.00', quantity: 2, promoCode: 'HALF' } : { paid: '380.00', quantity: 2 },
  )
  const before = await stockOf(order)
  const { rows } = await database.owner.query<{ order_item_id: string }>(
    'select id as order_item_id from public.order_items where order_id = $1',
    [order.id],
  )
  return {
    paymentId,
    pfPaymentId,
    returned: (quantity: number) => (quantity > 0 ? rows.map((row) => ({ ...row, quantity })) : []),
    backInStock: async () => (await stockOf(order)) - before,
  }
}

async function isLive(live: boolean): Promise<void> {
  await shop.database.owner.query('select private.set_shop_rules($1)', [
    { refund_way: live ? 'payfast' : 'by_hand' },
  ])
}

function runJobs(): Promise<void> {
  const { owner } = shop.database
  const account = { ...payfast.account, mode: 'live' as const }
  const tasks = { ...paymentTasks({ owner, account, log: quietLog }), send_mail: () => Promise.resolve() }
  return runDueJobs({ pool: owner, tasks, log: quietLog })
}

/** Runs the job of one refund. */
function send(refund: string): Promise<void> {
  const account = { ...payfast.account, mode: 'live' as const }
  return sendRefund(refund, { owner: shop.database.owner, account, log: quietLog })
}

/** Makes the refund's job due at once. */
async function sendAgain(refund: string): Promise<void> {
  await shop.database.owner.query('select private.send_refund_at($1, now())', [refund])
  await runJobs()
}

/** Disables the trigger that forbids changes to the ledger, to move times into the past. */
async function minutesPass(refund: string, minutes: number): Promise<void> {
  await inTransaction(shop.database.owner, async (client) => {
    await client.query('alter table public.payment_refund_events disable trigger rows_are_never_changed')
    await client.query(
      `update public.payment_refund_events set created_at = created_at - make_interval(mins => $2) where refund_id = $1`,
      [refund, minutes],
    )
    await client.query('alter table public.payment_refund_events enable trigger rows_are_never_changed')
  })
}

/** Loses all jobs, and returns whether this refund gets a new one. */
async function isRestarted(refund: string): Promise<boolean> {
  const { owner } = shop.database
  await owner.query('delete from graphile_worker._private_jobs')
  await owner.query('select private.restart_lost_jobs()')
  const { rows } = await owner.query<{ has_job: boolean }>(`select private.has_job('send_refund:' || $1)`, [
    refund,
  ])
  return rows[0]?.has_job ?? false
}

async function stepsOf(refund: string): Promise<string[]> {
  const { rows } = await shop.database.owner.query<{ state: string }>(
    'select state from public.payment_refund_events where refund_id = $1 order by id',
    [refund],
  )
  return rows.map(({ state }) => state)
}

async function stateOf(refund: string): Promise<string | undefined> {
  return (await call<{ state: string }>('refunds where id = $1', [refund]))[0]?.state
}

function givenBackOf(pfPaymentId: string): number[] {
  return payfast.api.completedRefunds
    .filter(({ paymentId }) => paymentId === pfPaymentId)
    .map(({ amountCents }) => amountCents)
}

async function balanceOf(paymentId: string) {
  const [balance] = await call<{ given_back: string; on_its_way: string; refundable: string }>(
    'payment_balances where payment_id = $1',
    [paymentId],
  )
  if (!balance) throw new Error('no balance')
  const { given_back, on_its_way, refundable } = balance
  return { given_back, on_its_way, refundable }
}

async function issuesOf(order: BuyerOrder) {
  const rows = await call<{ kind: string; refund_id: string; detail: { words: string } }>(
    'open_payment_issues where order_id = $1 order by raised_at',
    [order.id],
  )
  return rows.map(({ kind, refund_id, detail }) => ({ kind, refund_id, words: detail.words }))
}

async function mailsTo({ email }: Buyer, template = 'refund') {
  const { rows } = await shop.database.owner.query<{ amount: string; way: string }>(
    `select props ->> 'refundAmount' as amount, props ->> 'refundWay' as way from public.mails
     where template = $2 and recipient = $1 order by created_at`,
    [email, template],
  )
  return rows
}

/** The corrections that a buyer gets, and whether each names the time at which the refund was called done, as its mail did. */
async function correctionsTo({ email }: Buyer) {
  const { rows } = await shop.database.owner.query(
    `select (m.props ->> 'refundedAt')::timestamptz = e.created_at as is_of_the_mail
     from public.mails m join public.payment_refund_events e on m.key = 'refund-correction:' || e.refund_id and e.state = 'done'
     where m.template = 'refund-correction' and m.recipient = $1`,
    [email],
  )
  return rows
}

/** Whether a session of this database waits for a lock. */
async function somebodyWaits(): Promise<boolean> {
  const { rowCount } = await shop.database.owner.query(
    `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  )
  return rowCount !== 0
}

async function timelineOf(order: BuyerOrder): Promise<string[]> {
  const { rows } = await shop.database.owner.query<{ kind: string }>(
    `select kind from public.order_events where order_id = $1 and kind like 'refund%' order by id`,
    [order.id],
  )
  return rows.map(({ kind }) => kind)
}

async function stockOf(order: BuyerOrder): Promise<number> {
  const { rows } = await shop.database.owner.query<{ stock_quantity: number }>(
    `select stock_quantity from public.product_variants
     where id in (select variant_id from public.order_items where order_id = $1)`,
    [order.id],
  )
  return rows[0]?.stock_quantity ?? Number.NaN
}
