import { Hono } from 'hono'
import { Pool } from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import { quietLog, runDueJobs } from '@saltfreak/backend/testing'
import { createPayments, paymentTasks } from '#payments/create-payments.ts'
import { aBuyer, placeOrder, readOrder, type BuyerOrder } from '#test/buyer.ts'
import { shopDatabase, type TestDatabase } from '#test/database.ts'
import { fakePayfast, type FakePayfast, type NoticeFields } from '#test/fake-payfast.ts'
import { regularChecks } from '#test/regular-checks.ts'

import { startPayment } from './start-payment.ts'

let shop: TestDatabase
let payfast: FakePayfast
let app: Hono<{ Variables: { remoteAddress: string } }>

beforeAll(async () => {
  shop = await shopDatabase()
  await shop.database.owner.query('update public.product_variants set stock_quantity = 500')
  payfast = await fakePayfast()
  app = new Hono<{ Variables: { remoteAddress: string } }>()
  app.use(async (c, next) => {
    c.set('remoteAddress', '127.0.0.1')
    await next()
  })
  app.route(
    '/payments',
    createPayments({
      owner: shop.database.owner,
      account: payfast.account,
      consumeBadSignatureLimit: async () => true,
      log: quietLog,
    }),
  )
})
afterAll(async () => {
  await payfast.close()
  await shop.close()
})
afterEach(() => {
  payfast.behaviour = 'valid'
})

describe('a payment notice', () => {
  it('marks the order as paid after PayFast confirmed the notice', async () => {
    const { order, fields } = await aWaitingPayment()

    const answer = await post(payfast.notice(fields))
    await runJobs()

    expect(answer.status).toBe(200)
    expect(await answer.text()).toBe('')
    expect(await stateOf(order)).toMatchObject({ status: 'new', outcomes: ['paid'] })
    expect(await checksOf(order)).toEqual([
      'signature passed',
      'source passed',
      'merchant passed',
      'confirmation passed',
      'attempt passed',
      'amount passed',
    ])
  })

  it('shows a payment notice on the order’s timeline', async () => {
    const { order, fields } = await aWaitingPayment()
    await post(payfast.notice({ ...fields, payment_status: 'FAILED' }))
    await runJobs()
    await post(payfast.notice(fields))
    await runJobs()

    const { rows } = await shop.database.owner.query(
      `select kind, detail ->> 'outcome' as outcome from public.order_events where order_id = $1 order by id`,
      [order.id],
    )
    expect(rows).toEqual([
      { kind: 'placed', outcome: null },
      { kind: 'payment_notice', outcome: 'not_a_payment' },
      { kind: 'paid', outcome: null },
      { kind: 'payment_notice', outcome: 'paid' },
    ])
  })

  it('sends the notice’s parameters back to PayFast without signature and passphrase', async () => {
    const { fields } = await aWaitingPayment()
    const body = payfast.notice(fields)

    await post(body)
    await runJobs()

    expect(payfast.confirmRequests.at(-1)).toBe(body.replace(/&signature=.*/, ''))
  })

  it('records one payment when twenty copies of a notice arrive together', async () => {
    const { order, fields } = await aWaitingPayment()
    const body = payfast.notice(fields)

    const answers = await Promise.all(Array.from({ length: 20 }, () => post(body)))
    await Promise.all([runJobs(), runJobs(), runJobs()])

    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200))
    const state = await stateOf(order)
    expect(state.status).toBe('new')
    expect(state.payments).toBe(1)
    expect(state.outcomes.toSorted()).toEqual(['paid', ...Array<string>(19).fill('repeated')])
    expect(await issuesOf(order)).toEqual([])
  })

  it('changes no order or payment when PayFast repeats a notice later', async () => {
    const { order, fields } = await aWaitingPayment()
    const body = payfast.notice(fields)
    await post(body)
    await runJobs()
    const paid = await readOrder(shop.database, order.id)

    await post(body)
    await runJobs()

    expect(await readOrder(shop.database, order.id)).toEqual(paid)
    expect((await stateOf(order)).outcomes).toEqual(['paid', 'repeated'])
  })

  it.each([
    ['a wrong passphrase', 'guessed'],
    ['no passphrase', ''],
  ])('refuses, stores and reports a notice signed with %s', async (_, passphrase) => {
    const { order, fields } = await aWaitingPayment()

    const answer = await post(payfast.notice(fields, passphrase))
    await runJobs()

    expect(answer.status).toBe(400)
    expect(await stateOf(order)).toMatchObject({
      status: 'pending_payment',
      payments: 0,
      outcomes: ['bad_signature'],
    })
    expect(await issuesOf(order)).toEqual(['bad_signature'])
  })

  it('stores who sent a notice, but no credentials', async () => {
    const { fields } = await aWaitingPayment()

    await post(payfast.notice(fields), { 'User-Agent': 'PayFast', Cookie: 'a=b', Authorization: 'Bearer c' })

    const { rows } = await shop.database.owner.query(
      'select headers from public.payment_notices where m_payment_id = $1',
      [fields.m_payment_id],
    )
    expect(rows).toEqual([
      { headers: { 'content-type': 'application/x-www-form-urlencoded', 'user-agent': 'PayFast' } },
    ])
  })

  it('stores at most ten forged notices per order and no forged notices for unknown orders', async () => {
    const { order, fields } = await aWaitingPayment()

    await post(payfast.notice({ ...fields, m_payment_id: 'nobody' }, 'guessed'))
    for (let copy = 0; copy < 12; copy++) await post(payfast.notice(fields, 'guessed'))

    expect((await stateOf(order)).outcomes).toHaveLength(10)
    expect(await issuesOf(order)).toEqual(['bad_signature'])
  })

  it('changes no order or payment when PayFast denies the notice', async () => {
    const { order, fields } = await aWaitingPayment()
    payfast.behaviour = 'invalid'

    await post(payfast.notice(fields))
    await runJobs()

    expect(await stateOf(order)).toMatchObject({
      status: 'pending_payment',
      payments: 0,
      outcomes: ['denied'],
    })
    expect(await issuesOf(order)).toEqual(['denied'])
    expect((await readOrder(shop.database, order.id))?.expires_at).not.toBeNull()
  })

  it.each([
    ['1 cent short', '239.99'],
    ['1 cent over', '240.01'],
    ['ten times', '2400.00'],
  ])('records a payment that is %s and creates a payment issue', async (_, amount_gross) => {
    const { order, fields } = await aWaitingPayment()

    await post(payfast.notice({ ...fields, amount_gross }))
    await runJobs()

    expect(await stateOf(order)).toMatchObject({
      status: 'pending_payment',
      payments: 1,
      outcomes: ['wrong_amount'],
    })
    expect(await issuesOf(order)).toEqual(['wrong_amount'])
  })

  it('changes no order when a notice names another merchant', async () => {
    const { order, fields } = await aWaitingPayment()

    await post(payfast.notice({ ...fields, merchant_id: '10000101' }))
    await runJobs()

    expect(await stateOf(order)).toMatchObject({
      status: 'pending_payment',
      payments: 0,
      outcomes: ['wrong_merchant'],
    })
    expect((await readOrder(shop.database, order.id))?.expires_at).not.toBeNull()
  })

  it('neither keeps an order from expiring nor its buyer from paying when a payment failed', async () => {
    const { order, fields } = await aWaitingPayment()

    await post(payfast.notice({ ...fields, payment_status: 'FAILED' }))

    expect((await readOrder(shop.database, order.id))?.expires_at).not.toBeNull()
    expect(await begin(order)).toMatchObject({ paymentData: { amount: '240.00' } })
  })

  it('does not renew a reservation that has ended before the notice', async () => {
    const { order, fields } = await aWaitingPayment()
    const { owner } = shop.database
    await owner.query(
      `update public.stock_reservations set expires_at = now() - interval '1 minute' where order_id = $1`,
      [order.id],
    )

    await post(payfast.notice(fields))

    const { rows } = await owner.query(
      'select expires_at > now() as is_reserved from public.stock_reservations where order_id = $1',
      [order.id],
    )
    expect(rows).toEqual([{ is_reserved: false }])
  })

  it('records no payment for a notice without the status COMPLETE', async () => {
    const { order, fields } = await aWaitingPayment()
    await post(payfast.notice({ ...fields, payment_status: 'FAILED' }))
    await runJobs()
    expect((await stateOf(order)).status).toBe('pending_payment')

    await post(payfast.notice(fields))
    await runJobs()
    await post(payfast.notice({ ...fields, payment_status: 'CANCELLED' }))
    await runJobs()

    expect(await stateOf(order)).toMatchObject({
      status: 'new',
      outcomes: ['not_a_payment', 'paid', 'not_a_payment'],
    })
  })

  it('records a second payment for an order and creates a payment issue', async () => {
    const { order, fields } = await aWaitingPayment()

    await Promise.all([post(payfast.notice(fields)), post(payfast.notice(fields))])
    await runJobs()

    const state = await stateOf(order)
    expect(state).toMatchObject({ status: 'new', payments: 2 })
    expect(state.outcomes.toSorted()).toEqual(['paid', 'paid_twice'])
    expect(await issuesOf(order)).toEqual(['paid_twice'])
  })

  it('reinstates an expired order when a payment arrives and the lures are in stock', async () => {
    const { order, fields } = await aWaitingPayment()
    await shop.database.owner.query('select private.cancel_order($1, $2)', [order.id, 'expired'])

    await post(payfast.notice(fields))
    await runJobs()

    expect(await stateOf(order)).toMatchObject({ status: 'new', outcomes: ['reinstated'] })
  })

  it('creates a payment issue when a cancelled order is paid and the lures are sold out', async () => {
    const { order, fields } = await aWaitingPayment({ product: 'Slow Sinking Stick Bait (180mm/150G)' })
    await shop.database.owner.query('select private.cancel_order($1, $2)', [order.id, 'expired'])
    await shop.database.owner.query(
      `update public.product_variants set stock_quantity = 0
       where id in (select variant_id from public.order_items where order_id = $1)`,
      [order.id],
    )

    await post(payfast.notice(fields))
    await runJobs()

    expect(await stateOf(order)).toMatchObject({ status: 'cancelled', payments: 1, outcomes: ['sold_out'] })
    expect(await issuesOf(order)).toEqual(['sold_out'])
  })

  it('creates a payment issue when a notice for a deleted order arrives', async () => {
    const { order, fields } = await aWaitingPayment()
    await shop.database.owner.query('delete from public.orders where id = $1', [order.id])

    await post(payfast.notice(fields))
    await runJobs()

    expect(await issuesOf(order)).toEqual(['order_deleted'])
  })

  it('retries a notice of an unknown payment attempt, then records a payment without an order', async () => {
    const body = payfast.notice({ m_payment_id: 'somebody-else-1', amount_gross: '10.00' })

    await post(body)
    for (let round = 0; round < 4; round++) await runJobsLater()

    const { rows } = await shop.database.owner.query(
      `select outcome, order_id from public.payments where m_payment_id = 'somebody-else-1'`,
    )
    expect(rows).toEqual([{ outcome: 'unknown_order', order_id: null }])
  })
})

describe('an unclear answer from PayFast', () => {
  it.each(['outage', 'connection lost', 'malformed', 'valid in an error'] as const)(
    'changes no order and asks PayFast again after the answer: %s',
    async (behaviour) => {
      const { order, fields } = await aWaitingPayment()
      payfast.behaviour = behaviour
      await post(payfast.notice(fields))
      await runJobs()
      expect(await stateOf(order)).toMatchObject({ status: 'pending_payment', payments: 0, outcomes: [] })

      payfast.behaviour = 'valid'
      await runJobsLater()

      expect(await stateOf(order)).toMatchObject({ status: 'new', outcomes: ['paid'] })
    },
  )

  it('retries PayFast’s confirmation after five seconds, then with growing pauses', async () => {
    const { order, fields } = await aWaitingPayment()
    payfast.behaviour = 'outage'
    await post(payfast.notice(fields))
    await runJobs()

    const pauses = [await secondsToNextQuestion(order)]
    for (const since of ['1 minute', '1 hour', '1 day']) {
      await outageBegan(order, since)
      await runJobsLater()
      pauses.push(await secondsToNextQuestion(order))
    }

    const [first, afterAMinute, afterAnHour, afterADay] = pauses
    expect([first, afterADay]).toEqual([5, 12 * 3600])
    expect(afterAMinute).toBeGreaterThanOrEqual(60)
    expect(afterAMinute).toBeLessThan(afterAnHour ?? 0)
    expect(afterAnHour).toBeGreaterThanOrEqual(3600)
    expect(afterAnHour).toBeLessThan(2 * 3600)
    expect(await issuesOf(order)).toEqual(['unconfirmed'])
  })

  it('keeps the lures of an order reserved until PayFast is asked again', async () => {
    const { order, fields } = await aWaitingPayment()
    payfast.behaviour = 'outage'
    await post(payfast.notice(fields))
    await runJobs()
    await outageBegan(order, '1 day')
    await runJobsLater()

    const pause = await secondsToNextQuestion(order)
    const { rows } = await shop.database.owner.query(
      `select bool_and(expires_at > now() + make_interval(secs => $2)) as is_reserved
       from public.stock_reservations where order_id = $1`,
      [order.id, pause],
    )

    expect(pause).toBe(12 * 3600)
    expect(rows).toEqual([{ is_reserved: true }])
  })

  it('asks PayFast for two weeks until PayFast confirms the notice, and then accepts the payment', async () => {
    const { order, fields } = await aWaitingPayment()
    payfast.behaviour = 'outage'
    await post(payfast.notice(fields))
    await runJobs()
    await outageBegan(order, '14 days')
    await runJobsLater()
    await shop.database.owner.query(
      `update public.orders set expires_at = expires_at - interval '14 days' where id = $1`,
      [order.id],
    )
    await shop.database.owner.query('select private.expire_orders()')
    expect(await stateOf(order)).toMatchObject({ status: 'pending_payment', outcomes: [] })

    payfast.behaviour = 'valid'
    await runJobsLater()

    expect(await stateOf(order)).toMatchObject({ status: 'new', outcomes: ['paid'] })
    const { rows } = await shop.database.owner.query(
      `select note from public.payment_issue_resolutions r
       join public.payment_issues c on c.id = r.issue_id where c.order_id = $1`,
      [order.id],
    )
    expect(rows).toEqual([{ note: 'PayFast answered: paid' }])
  })

  it('prevents a second payment while PayFast has not confirmed the first', async () => {
    const { order, fields } = await aWaitingPayment()
    payfast.behaviour = 'outage'
    await post(payfast.notice(fields))
    await runJobs()

    await expect(begin(order)).rejects.toMatchObject({ code: 'PT409', detail: 'payment_being_confirmed' })
  })
})

describe('the notice endpoint', () => {
  it('responds with 503 when a notice cannot be stored, so that PayFast retries', async () => {
    const { fields } = await aWaitingPayment()
    const unreachable = new Pool({ connectionString: 'postgresql://nobody@127.0.0.1:1/nothing' })
    const broken = createPayments({
      owner: unreachable,
      account: payfast.account,
      consumeBadSignatureLimit: async () => true,
      log: quietLog,
    })

    const answer = await broken.request('/payfast/notice', { method: 'POST', body: payfast.notice(fields) })

    expect(answer.status).toBe(503)
  })

  it.each([
    ['no body', '', 400],
    ['JSON', '{"payment_status":"COMPLETE"}', 400],
    ['NUL bytes', 'm_payment_id=a\0&signature=b', 400],
    ['more than any notice', `signature=${'a'.repeat(50_000)}`, 413],
  ])('refuses a request to the notice endpoint with %s', async (_, body, status) => {
    expect((await post(body)).status).toBe(status)
  })
})

describe('the ledger', () => {
  it.each(['payment_attempts', 'payment_notices', 'payment_notice_checks', 'payments', 'payment_issues'])(
    'prevents even the database owner from deleting or changing rows of %s',
    async (table) => {
      await expect(shop.database.owner.query(`delete from public.${table}`)).rejects.toThrow('never changed')
      const { rows } = await shop.database.owner.query<{ column: string }>(
        'select attname as column from pg_attribute where attrelid = $1::regclass and attnum = 2',
        [`public.${table}`],
      )
      const column = rows[0]?.column
      await expect(
        shop.database.owner.query(`update public.${table} set ${column} = ${column}`),
      ).rejects.toThrow('never changed')
    },
  )

  it.each([
    'payment_acceptances',
    'payment_attempts',
    'payment_issue_resolutions',
    'payment_issues',
    'payment_notice_checks',
    'payment_notice_outcomes',
    'payment_notices',
    'payment_reconciliations',
    'payment_refund_events',
    'payment_refund_items',
    'payment_refunds',
    'payment_top_ups',
    'payment_withdrawals',
    'payments',
  ])('prevents even the database owner from emptying %s', async (table) => {
    await expect(shop.database.owner.query(`truncate public.${table} cascade`)).rejects.toThrow(
      `rows of ${table} are never changed`,
    )
  })
})

async function aWaitingPayment(
  options?: Parameters<typeof placeOrder>[2],
): Promise<{ order: BuyerOrder; fields: NoticeFields }> {
  const buyer = await aBuyer(shop.database)
  const order = await placeOrder(shop.database, buyer, options)
  const { paymentData } = await begin(order)
  return {
    order,
    fields: { m_payment_id: paymentData.m_payment_id ?? '', amount_gross: paymentData.amount ?? '' },
  }
}

function begin(order: BuyerOrder) {
  const customer = {
    id: order.id,
    customerName: 'Thandi',
    customerEmail: null,
    customerPhone: '+27 82 555 0148',
  }
  return startPayment(customer, {
    database: shop.database,
    publicUrl: 'https://shop.example',
    payfast: payfast.account,
  })
}

async function post(body: string, headers: Record<string, string> = {}): Promise<Response> {
  return app.request('/payments/payfast/notice', {
    method: 'POST',
    body,
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
  })
}

function runJobs() {
  const tasks = {
    ...paymentTasks({
      owner: shop.database.owner,
      account: payfast.account,
      log: quietLog,
    }),
    send_mail: () => Promise.resolve(),
  }
  return runDueJobs({ pool: shop.database.owner, tasks, log: quietLog })
}

/** Makes the next attempt due at once. */
async function runJobsLater() {
  await shop.database.owner.query(
    'update graphile_worker._private_jobs set run_at = now() where run_at > now()',
  )
  await runJobs()
}

/** The order's notices have been checked since so long ago, and every check failed. */
async function outageBegan(order: BuyerOrder, ago: string): Promise<void> {
  await shop.database.owner.query(
    `${regularChecks('$2::interval')}
     insert into public.payment_notice_checks (notice_id, check_name, result, checked_at)
     select n.id, 'confirmation', 'unknown', now() - $2::interval + after
     from public.payment_attempts a join public.payment_notices n using (m_payment_id), checks
     where a.order_id = $1`,
    [order.id, ago],
  )
}

/** From the attempt that failed, so that the time since then does not count. */
async function secondsToNextQuestion(order: BuyerOrder): Promise<number> {
  const { rows } = await shop.database.owner.query<{ seconds: number }>(
    `select extract(epoch from j.run_at - j.updated_at)::int as seconds
     from graphile_worker._private_jobs j
     join public.payment_notices n on j.key = 'check_notice:' || n.id
     join public.payment_attempts a using (m_payment_id) where a.order_id = $1`,
    [order.id],
  )
  return rows[0]?.seconds ?? Number.NaN
}

async function stateOf(order: BuyerOrder): Promise<{ status: string; payments: number; outcomes: string[] }> {
  const { rows } = await shop.database.owner.query(
    `select (select status from public.orders where id = $1) as status,
       (select count(*)::int from public.payments where order_id = $1) as payments,
       (select coalesce(array_agg(o.outcome order by o.decided_at), '{}')
        from public.payment_attempts a join public.payment_notices n using (m_payment_id)
        join public.payment_notice_outcomes o on o.notice_id = n.id where a.order_id = $1) as outcomes`,
    [order.id],
  )
  return rows[0]
}

async function checksOf(order: BuyerOrder): Promise<string[]> {
  const { rows } = await shop.database.owner.query<{ line: string }>(
    `select c.check_name || ' ' || c.result as line
     from public.payment_attempts a join public.payment_notices n using (m_payment_id)
     join public.payment_notice_checks c on c.notice_id = n.id where a.order_id = $1 order by c.id`,
    [order.id],
  )
  return rows.map(({ line }) => line)
}

async function issuesOf(order: BuyerOrder): Promise<string[]> {
  const { rows } = await shop.database.owner.query<{ kind: string }>(
    'select kind from public.payment_issues where order_id = $1',
    [order.id],
  )
  return rows.map(({ kind }) => kind)
}
