import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'

import { inTransaction } from '@saltfreak/backend'
import { quietLog, runDueJobs } from '@saltfreak/backend/testing'
import { aBuyer, placeOrder, readOrder, type BuyerOrder } from '#test/buyer.ts'
import { as, shopDatabase, type TestDatabase } from '#test/database.ts'
import { fakePayfast, type FakePayfast } from '#test/fake-payfast.ts'

import { createPayments, paymentTasks } from '../create-payments.ts'
import { parseCsv, readHistory } from './history.ts'
import { reconcile } from './reconcile.ts'
import { startPayment } from './start-payment.ts'

const HEADER =
  'Date,Type,Sign,Party,Name,Description,Currency,"Funding Type",Gross,Fee,Net,Balance,"M Payment ID","PF Payment ID"'

const DAY_MS = 86_400_000

let shop: TestDatabase
let payfast: FakePayfast

beforeAll(async () => {
  shop = await shopDatabase()
  payfast = await fakePayfast()
})
afterAll(async () => {
  await payfast.close()
  await shop.close()
})

describe('the daily comparison with PayFast', () => {
  it('creates one payment issue per missed notice, missing payment and different amount', async () => {
    await aPayment('1001', '240.00')
    await aPayment('1002', '340.00')
    await aPayment('1003', '440.00')
    payfast.api.history = [
      HEADER,
      received('1001', '240.00'),
      received('1002', '34.00'),
      received('1004', '540.00'),
      '"2026-11-20 09:00:00","Payout","Debit","","","","ZAR","","-500.00","0","-500.00","0","",""',
    ].join('\r\n')

    await run()
    await run()

    const { rows } = await shop.database.owner.query(
      `select kind, detail ->> 'pf_payment_id' as payment from public.payment_issues order by payment`,
    )
    expect(rows).toEqual([
      { kind: 'history_differs', payment: '1002' },
      { kind: 'missing_money', payment: '1003' },
      { kind: 'missed_notice', payment: '1004' },
    ])
    const runs = await shop.database.owner.query(
      'select transactions, differences from public.payment_reconciliations order by id',
    )
    expect(runs.rows).toEqual([
      { transactions: 3, differences: 3 },
      { transactions: 3, differences: 0 },
    ])
  })

  it('signs the request for PayFast’s history over headers and period', async () => {
    payfast.api.history = HEADER

    await run()

    expect(payfast.api.calls.at(-1)).toMatchObject({ isSigned: true, path: '/transactions/history' })
  })

  it('compares today and the four days before, because notices may arrive days late', async () => {
    payfast.api.history = HEADER

    await run()

    const { from = '', to = '' } = payfast.api.calls.at(-1)?.query ?? {}
    expect((Date.parse(to) - Date.parse(from)) / DAY_MS).toBe(4)
  })

  it('does not report a payment as missing on the first or last day of the period', async () => {
    await missing(1, 1)
    await aPayment('7001', '100.00')

    expect([await missing(0, 1), await missing(1, 0), await missing(1, 1)]).toEqual([0, 0, 1])
  })

  it('misses no money of a notice that PayFast confirmed days after the payment', async () => {
    await missing(1, 1)

    await aPayment('7002', '100.00', { receivedDaysAgo: 9 })

    expect(await missing(1, 1)).toBe(0)
    expect(await missing(8, -6)).toBe(1)
  })

  it('compares the days in which PayFast’s history did not answer', async ({ onTestFinished }) => {
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    payfast.api.history = HEADER
    await run()
    const lastDay = payfast.api.calls.at(-1)?.query.to ?? ''

    vi.setSystemTime(Date.now() + 10 * DAY_MS)
    payfast.api.history = null
    await expect(run()).rejects.toThrow('401')
    payfast.api.history = HEADER
    await run()

    const { from = '', to = '' } = payfast.api.calls.at(-1)?.query ?? {}
    expect((Date.parse(lastDay) - Date.parse(from)) / DAY_MS).toBe(1)
    expect((Date.parse(to) - Date.parse(lastDay)) / DAY_MS).toBe(10)
  })

  it('compares at most the last sixty days after a year without a live account', async ({
    onTestFinished,
  }) => {
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    payfast.api.history = HEADER
    await run()

    vi.setSystemTime(Date.now() + 365 * DAY_MS)
    await run()

    const { from = '', to = '' } = payfast.api.calls.at(-1)?.query ?? {}
    expect((Date.parse(to) - Date.parse(from)) / DAY_MS).toBe(60)
  })

  it('throws when PayFast refuses the history request, so that the job retries', async () => {
    payfast.api.history = null

    await expect(run()).rejects.toThrow('PayFast answered /transactions/history with 401')
  })

  it('requests no PayFast history for a simulated or sandbox account', async () => {
    const calls = payfast.api.calls.length

    await reconcile({ owner: shop.database.owner, account: payfast.account, log: quietLog })

    expect(payfast.api.calls).toHaveLength(calls)
  })
})

describe('a payment whose notice never arrived', () => {
  it('pays the order of a payment that PayFast’s history lists, once, although its notice arrives later', async () => {
    const { order, attempt } = await anAttempt()
    await listInHistory(received('5001', '240.00', attempt))

    expect(await recordMissed('5001')).toBe('paid')
    await notify({ m_payment_id: attempt, pf_payment_id: '5001', amount_gross: '240.00' })

    expect(await readOrder(shop.database, order.id)).toMatchObject({ status: 'new' })
    expect(await moneyOf(order)).toEqual({ payments: ['5001 paid'], notices: ['repeated'], issues: [] })
  })

  it('pays an order with a missed payment that an admin had recorded as EFT and withdrawn', async () => {
    const { order, attempt } = await anAttempt()
    await asAdmin(`record_payment($1, 'eft')`, [order.id])
    await listInHistory(received('5010', '240.00', attempt))
    await asAdmin(
      `withdraw_payment((select id from public.payments where order_id = $1), 'It came through PayFast')`,
      [order.id],
    )

    expect(await recordMissed('5010')).toBe('paid')

    expect(await readOrder(shop.database, order.id)).toMatchObject({ status: 'new' })
  })

  it('keeps the order of a missed payment of another amount unpaid until staff refund that payment', async () => {
    const { order, attempt } = await anAttempt()
    await listInHistory(received('5002', '200.00', attempt))
    // As the comparison of an older release left it.
    await shop.database.owner.query(
      `update public.orders set expires_at = now() + interval '1 hour' where id = $1`,
      [order.id],
    )

    expect(await recordMissed('5002')).toBe('wrong_amount')

    expect(await readOrder(shop.database, order.id)).toMatchObject({
      status: 'pending_payment',
      expires_at: null,
    })
    expect(await moneyOf(order)).toEqual({
      payments: ['5002 wrong_amount'],
      notices: [],
      issues: ['wrong_amount 200.00'],
    })

    await asAdmin(
      `record_refund(
         (select id from public.payments where pf_payment_id = '5002'), 200, 'Wrong amount', way => 'by_hand')`,
      [],
    )

    expect(await readOrder(shop.database, order.id)).toMatchObject({ expires_at: expect.any(Date) })
    expect(await moneyOf(order)).toMatchObject({ issues: [] })
  })

  it('reinstates an order that expired before its missed payment was recorded', async () => {
    const { order, attempt } = await anAttempt()
    await shop.database.owner.query(
      `update public.orders set status = 'cancelled', cancellation_reason = 'expired' where id = $1`,
      [order.id],
    )
    await listInHistory(received('5003', '240.00', attempt))

    expect(await recordMissed('5003')).toBe('reinstated')

    expect(await readOrder(shop.database, order.id)).toMatchObject({ status: 'new' })
  })

  it('records a missed payment once when two admins record it, and none of an issue that a note resolved', async () => {
    const { order, attempt } = await anAttempt()
    await listInHistory(received('5004', '240.00', attempt), received('5005', '240.00', attempt))

    const both = await Promise.allSettled([recordMissed('5004'), recordMissed('5004')])
    await asAdmin(`resolve_payment_issue($1, 'The same money')`, [await issueOf('5005')])

    expect(both.map(({ status }) => status).toSorted((a, b) => a.localeCompare(b))).toEqual([
      'fulfilled',
      'rejected',
    ])
    await expect(recordMissed('5005')).rejects.toMatchObject({ detail: 'issue_resolved' })
    expect(await moneyOf(order)).toEqual({ payments: ['5004 paid'], notices: [], issues: [] })
  })

  it('keeps an order whose payment PayFast lists from being paid again or expiring, until an admin decides', async () => {
    const [recorded, refunded] = [await anAttempt(), await anAttempt()]
    await listInHistory(
      received('5007', '240.00', recorded.attempt),
      received('5008', '240.00', refunded.attempt),
    )

    for (const { order } of [recorded, refunded]) {
      // oxlint-disable-next-line no-await-in-loop -- one order after the other
      await expect(pay(order)).rejects.toMatchObject({ detail: 'payment_being_confirmed' })
      // oxlint-disable-next-line no-await-in-loop
      expect(await readOrder(shop.database, order.id)).toMatchObject({ expires_at: null })
    }
    await recordMissed('5007')
    await asAdmin(`resolve_payment_issue($1, 'Refunded at PayFast')`, [await issueOf('5008')])

    expect(await readOrder(shop.database, recorded.order.id)).toMatchObject({ status: 'new' })
    expect(await readOrder(shop.database, refunded.order.id)).toMatchObject({ expires_at: expect.any(Date) })
    expect(await pay(refunded.order)).toMatchObject({ amount: '240.00' })
  })

  it('refuses to delete an order whose payment PayFast lists, and says where it is decided', async () => {
    const { order, attempt } = await anAttempt()
    await listInHistory(received('5009', '240.00', attempt))
    const remove = () => shop.database.owner.query('delete from public.orders where id = $1', [order.id])

    await expect(remove()).rejects.toMatchObject({
      code: 'PT409',
      detail: 'payment_being_confirmed',
      message: expect.stringContaining('see Needs attention'),
    })
    await asAdmin(`resolve_payment_issue($1, 'Refunded at PayFast')`, [await issueOf('5009')])

    expect((await remove()).rowCount).toBe(1)
  })

  it('records no missed payment that names no order of the shop', async () => {
    await listInHistory(received('5006', '240.00', 'another-shop'))

    await expect(recordMissed('5006')).rejects.toMatchObject({ detail: 'payment_without_order' })
  })
})

describe('PayFast’s history', () => {
  it('reads PayFast’s history by column names, as plain CSV or inside JSON', () => {
    const csv = 'PF Payment ID,Type,M Payment ID,Gross\n9,FUNDS_RECEIVED,00042-a,100\n'
    const money = [{ pf_payment_id: '9', m_payment_id: '00042-a', gross: '100.00' }]

    expect(readHistory(csv)).toEqual(money)
    expect(readHistory(JSON.stringify({ response: csv }))).toEqual(money)
    expect(readHistory(JSON.stringify({ code: 200, data: { response: csv } }))).toEqual(money)
  })

  it.each(['1e3', '285.000000000000001', 'x', ''])(
    'refuses a PayFast history with the amount %j',
    (gross) => {
      expect(() => readHistory(`Type,Gross,M Payment ID,PF Payment ID\nFunds Received,${gross},a,1`)).toThrow(
        'amount',
      )
    },
  )

  it('refuses a PayFast history without a required column', () => {
    expect(() => readHistory('Date,Type\n2026,Funds Received')).toThrow('column')
  })

  it('reads quoted commas, quotes and line breaks in CSV', () => {
    expect(parseCsv('a,"b, ""c""\nd",\r\n"","x"')).toEqual([
      ['a', 'b, "c"\nd', ''],
      ['', 'x'],
    ])
  })
})

function run() {
  return reconcile({
    owner: shop.database.owner,
    account: { ...payfast.account, mode: 'live' },
    log: quietLog,
  })
}

/** Compares with an empty history from and to so many days around the day of aPayment(). Returns the number of differences. */
async function missing(daysBefore: number, daysAfter: number): Promise<number | undefined> {
  const { rows } = await shop.database.owner.query<{ count: number }>(
    `select private.reconcile(day - $1::int, day + $2::int, '[]') as count
     from (select (now() at time zone 'Africa/Johannesburg')::date - 2 as day) as received`,
    [daysBefore, daysAfter],
  )
  return rows[0]?.count
}

function received(pfPaymentId: string, gross: string, mPaymentId = '00042-a'): string {
  return `"2026-11-20 08:00:00","Funds Received","Credit","Thandi","Order, ""00042""","","ZAR","CC","${gross}","-9.00","0","0","${mPaymentId}","${pfPaymentId}"`
}

/** An order of R240 whose buyer was sent to PayFast; `attempt` is what PayFast's history calls it. */
async function anAttempt(): Promise<{ order: BuyerOrder; attempt: string }> {
  const { database } = shop
  await database.owner.query('update public.product_variants set stock_quantity = 500')
  const order = await placeOrder(database, await aBuyer(database))
  return { order, attempt: (await pay(order)).m_payment_id ?? '' }
}

/** The buyer is sent to PayFast. Returns the fields of its form. */
async function pay({ id }: BuyerOrder) {
  const { paymentData } = await startPayment(
    { id, customerName: null, customerEmail: null, customerPhone: null },
    { database: shop.database, publicUrl: 'http://localhost:3000', payfast: payfast.account },
  )
  return paymentData
}

/** The daily comparison finds these transactions. */
async function listInHistory(...transactions: string[]): Promise<void> {
  payfast.api.history = [HEADER, ...transactions].join('\r\n')
  await run()
}

async function issueOf(pfPaymentId: string): Promise<string | undefined> {
  const { rows } = await shop.database.owner.query<{ id: string }>(
    `select id from public.payment_issues where kind = 'missed_notice' and detail ->> 'pf_payment_id' = $1`,
    [pfPaymentId],
  )
  return rows[0]?.id
}

/** Returns what the payment did to its order. */
async function recordMissed(pfPaymentId: string): Promise<string | undefined> {
  const rows = await asAdmin<{ outcome: string }>('record_missed_payment($1) as outcome', [
    await issueOf(pfPaymentId),
  ])
  return rows[0]?.outcome
}

async function asAdmin<Row extends object>(call: string, values: unknown[]): Promise<Row[]> {
  const { userId } = await aBuyer(shop.database)
  await shop.database.owner.query(`insert into public.user_roles (user_id, role) values ($1, 'admin')`, [
    userId,
  ])
  return inTransaction(shop.database.owner, async (client) => {
    await as(client, { sub: userId })
    return (await client.query<Row>(`select public.${call}`, values)).rows
  })
}

/** PayFast sends a notice, and its checks run. */
async function notify(fields: Parameters<FakePayfast['notice']>[0]): Promise<void> {
  const { owner } = shop.database
  const { account } = payfast
  const payments = createPayments({
    owner,
    account,
    consumeBadSignatureLimit: async () => true,
    log: quietLog,
  })
  await payments.request('/payfast/notice', { method: 'POST', body: payfast.notice(fields) })
  const tasks = { ...paymentTasks({ owner, account, log: quietLog }), send_mail: () => Promise.resolve() }
  await runDueJobs({ pool: owner, tasks, log: quietLog })
}

/** Its payments with what they did, the outcomes of its notices, and its open issues with the amounts received. */
async function moneyOf({ id }: BuyerOrder) {
  const { rows } = await shop.database.owner.query(
    `select array(select p.pf_payment_id || ' ' || p.outcome from public.payments p where p.order_id = $1) as payments,
       array(
         select o.outcome from public.payment_attempts a join public.payment_notices n using (m_payment_id)
         join public.payment_notice_outcomes o on o.notice_id = n.id where a.order_id = $1) as notices,
       array(select c.kind || ' ' || c.amount_gross from public.open_payment_issues c where c.order_id = $1) as issues`,
    [id],
  )
  return rows[0]
}

/** Records a payment two days ago, within the period. */
async function aPayment(
  pfPaymentId: string,
  amount: string,
  { receivedDaysAgo = 2 }: { receivedDaysAgo?: number } = {},
): Promise<void> {
  await shop.database.owner.query(
    `with notice as (
       insert into public.payment_notices (raw_body, headers, received_at)
       values ('a=b', '{}', now() - make_interval(days => $3)) returning id)
     insert into public.payments (pf_payment_id, notice_id, amount_gross, outcome, created_at)
     select $1, id, $2, 'unknown_order', now() - interval '2 days' from notice`,
    [pfPaymentId, amount, receivedDaysAgo],
  )
}
