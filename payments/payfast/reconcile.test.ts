import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'

import { shopDatabase, type TestDatabase } from '#test/database.ts'
import { fakePayfast, type FakePayfast } from '#test/fake-payfast.ts'
import { quietLog } from '@saltfreak/backend/testing'

import { parseCsv, readHistory } from './history.ts'
import { reconcile } from './reconcile.ts'

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

function received(pfPaymentId: string, gross: string): string {
  return `"2026-11-20 08:00:00","Funds Received","Credit","Thandi","Order, ""00042""","","ZAR","CC","${gross}","-9.00","0","0","00042-a","${pfPaymentId}"`
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
