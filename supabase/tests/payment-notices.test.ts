import { describe, expect } from 'vitest'
import { regularChecks } from '#test/regular-checks.ts'
import { aCustomer, orderOf, popper, type OrderRecord } from './shopping.ts'
import { type TestTransaction, test } from './sql.ts'

const SAYS_PAID = 'payment_status=COMPLETE'

const anOrder = async (sql: TestTransaction) =>
  orderOf(sql, await aCustomer(sql), { lines: [popper], total: 210 })

/** Returns the name of the attempt, which PayFast's notices repeat. */
const begin = (sql: TestTransaction, order: OrderRecord) =>
  sql.value<string>(`select m_payment_id from private.start_payment_attempt($1, '10000100')`, [order.id])

const receive = (sql: TestTransaction, attempt: string, body = SAYS_PAID) =>
  sql.value<string>(`select private.store_notice($1, $2, '{}', '127.0.0.1')`, [body, attempt])

/** A notice that was not checked yet. */
const aStoredNotice = (sql: TestTransaction, attempt: string) =>
  sql.value<string>(
    `insert into public.payment_notices (raw_body, m_payment_id, headers) values ($1, $2, '{}') returning id`,
    [SAYS_PAID, attempt],
  )

/** PayFast confirms that this attempt was paid. */
const confirm = (
  sql: TestTransaction,
  { notice, attempt, ...more }: { notice: string; attempt: string } & Record<string, string>,
) =>
  sql.value('select private.apply_confirmed_notice($1, $2)', [
    notice,
    JSON.stringify({ pf_payment_id: attempt, m_payment_id: attempt, amount_gross: '210.00', ...more }),
  ])

const expiryOf = (sql: TestTransaction, order: OrderRecord) =>
  sql.value('select expires_at from public.orders where id = $1', [order.id])

/** PayFast answered nothing clear so long ago. */
const checkedBefore = (sql: TestTransaction, notice: string, since: string) =>
  sql.rows(
    `insert into public.payment_notice_checks (notice_id, check_name, result, checked_at)
     values ($1, 'confirmation', 'unknown', now() - $2::interval)`,
    [notice, since],
  )

/** PayFast answered nothing clear at each regular check, from so long ago until so long ago. */
const checkedRegularly = (
  sql: TestTransaction,
  notice: string,
  [from, until]: [from: string, until: string],
) =>
  sql.rows(
    `${regularChecks('$2::interval - $3::interval')}
     insert into public.payment_notice_checks (notice_id, check_name, result, checked_at)
     select $1, 'confirmation', 'unknown', now() - $2::interval + after from checks`,
    [notice, from, until],
  )

/** Checks the undecided notices of an order because its customer waits. Returns how many. */
const expedite = (sql: TestTransaction, order: OrderRecord) =>
  sql.value<number>('select private.expedite_notices($1)', [order.id])

/** PayFast answers nothing clear, for so long by now. */
async function failedCheck(sql: TestTransaction, notice: string, since: string): Promise<unknown> {
  await checkedBefore(sql, notice, since)
  return sql.value('select private.postpone_notice($1)', [notice])
}

const secondsToNextCheck = (sql: TestTransaction, notice: string) =>
  sql.value<number>(
    `select extract(epoch from run_at - now())::int from graphile_worker.jobs where key = 'check_notice:' || $1`,
    [notice],
  )

const openIssues = async (sql: TestTransaction, order: OrderRecord) =>
  sql.rows('select kind from public.open_payment_issues where order_id = $1', [order.id])

describe('a notice that PayFast does not confirm', () => {
  test('creates a payment issue after half an hour, not before', async ({ sql }) => {
    const order = await anOrder(sql)
    const notice = await receive(sql, await begin(sql, order))

    expect(await failedCheck(sql, notice, '29 minutes')).toBe('postponed')
    expect(await openIssues(sql, order)).toEqual([])
    expect(await failedCheck(sql, notice, '30 minutes')).toBe('postponed')
    expect(await openIssues(sql, order)).toEqual([{ kind: 'unconfirmed' }])
  })

  test('is given up after thirty days: its order expires, and its issue stays open', async ({ sql }) => {
    const order = await anOrder(sql)
    const notice = await receive(sql, await begin(sql, order))

    await checkedRegularly(sql, notice, ['31 days', '2 days'])
    expect(await failedCheck(sql, notice, '2 days')).toBe('postponed')
    expect(await expiryOf(sql, order)).toBeNull()
    await checkedRegularly(sql, notice, ['31 days', '0 seconds'])
    expect(await failedCheck(sql, notice, '0 seconds')).toBe('unconfirmed')

    expect(await expiryOf(sql, order)).not.toBeNull()
    expect(await openIssues(sql, order)).toEqual([{ kind: 'unconfirmed' }])
  })

  test('is checked again within minutes of a power cut that lasted for hours', async ({ sql }) => {
    const notice = await receive(sql, await begin(sql, await anOrder(sql)))

    await checkedRegularly(sql, notice, ['366 minutes', '360 minutes'])
    await failedCheck(sql, notice, '0 seconds')

    expect(await secondsToNextCheck(sql, notice)).toBeLessThanOrEqual(15 * 60)
  })

  test('is not given up because the shop was closed for a month', async ({ sql }) => {
    const notice = await receive(sql, await begin(sql, await anOrder(sql)))

    await checkedRegularly(sql, notice, ['31 days', '30 days'])

    expect(await failedCheck(sql, notice, '0 seconds')).toBe('postponed')
  })

  test('is checked again within minutes although its customer’s page has asked ten times', async ({
    sql,
  }) => {
    const order = await anOrder(sql)
    const notice = await aStoredNotice(sql, await begin(sql, order))

    for (const seconds of [120, 110, 100, 90, 80, 70, 60, 40, 20, 6]) {
      expect(await expedite(sql, order)).toBe(1)
      await failedCheck(sql, notice, `${seconds} seconds`)
    }

    expect(await secondsToNextCheck(sql, notice)).toBeLessThanOrEqual(300)
    expect(await openIssues(sql, order)).toEqual([])
  })

  test('is not given up on its first day, however often its customer’s page asks', async ({ sql }) => {
    const order = await anOrder(sql)
    const notice = await receive(sql, await begin(sql, order))

    for (let minutes = 20 * 60; minutes >= 0; minutes -= 16)
      expect(await failedCheck(sql, notice, `${minutes} minutes`)).toBe('postponed')

    expect(await expiryOf(sql, order)).toBeNull()
    expect(await secondsToNextCheck(sql, notice)).toBe(12 * 3600)
  })
})

test('reserves the lures for an hour after a notice, or for longer if they were', async ({ sql }) => {
  const order = await anOrder(sql)
  const attempt = await begin(sql, order)
  const minutesReserved = () =>
    sql.row(
      `select extract(epoch from o.reserved_until - now())::int / 60 as shown, extract(epoch from r.expires_at - now())::int / 60 as reserved
       from public.orders o join public.stock_reservations r on r.order_id = o.id where o.id = $1`,
      [order.id],
    )

  await receive(sql, attempt)
  expect(await minutesReserved()).toEqual({ shown: 60, reserved: 60 })
  await sql.rows(`update public.orders set reserved_until = now() + interval '12 hours' where id = $1`, [
    order.id,
  ])
  await sql.rows(`update public.stock_reservations set expires_at = now() + interval '12 hours'`)
  await receive(sql, attempt)
  expect(await minutesReserved()).toEqual({ shown: 720, reserved: 720 })
})

test('neither keeps an order nor forbids to pay it because a field of a notice contains the words of a payment', async ({
  sql,
}) => {
  const order = await anOrder(sql)
  const attempt = await begin(sql, order)
  const before = await expiryOf(sql, order)

  await receive(sql, attempt, `name_first=${SAYS_PAID}&payment_status=FAILED`)

  expect(before).not.toBeNull()
  expect(await expiryOf(sql, order)).toEqual(before)
  expect(await sql.value('select private.may_be_paid_now($1)', [order.id])).toBe(true)
})

test('lets an order expire again after a notice that was not a payment', async ({ sql }) => {
  const order = await anOrder(sql)
  const notice = await receive(sql, await begin(sql, order))
  expect(await expiryOf(sql, order)).toBeNull()

  await sql.value(`select private.decide_notice($1, 'not_a_payment', $2)`, [notice, order.id])

  expect(await expiryOf(sql, order)).not.toBeNull()
})

test('waits three checks for the payment attempt of an early notice', async ({ sql }) => {
  const order = await anOrder(sql)
  const notice = await receive(sql, 'early-1')

  for (let missed = 0; missed < 3; missed += 1)
    expect(await confirm(sql, { notice, attempt: 'early-1' })).toBe('postponed')
  await sql.rows(
    `insert into public.payment_attempts (order_id, order_number, m_payment_id, merchant_id, amount)
     values ($1, $2, 'early-1', '10000100', 210)`,
    [order.id, order.order_number],
  )

  expect(await confirm(sql, { notice, attempt: 'early-1' })).toBe('paid')
})

test('stores PayFast’s fee and what is left of a payment', async ({ sql }) => {
  const order = await anOrder(sql)
  const attempt = await begin(sql, order)

  const notice = await receive(sql, attempt)

  await confirm(sql, { notice, attempt, amount_fee: '-9.66', amount_net: '200.34' })

  expect(
    await sql.row('select amount_gross, amount_fee, amount_net from public.payments where order_id = $1', [
      order.id,
    ]),
  ).toEqual({ amount_gross: '210.00', amount_fee: '-9.66', amount_net: '200.34' })
})

test('refuses a payment for an order without lines', async ({ sql }) => {
  const order = await anOrder(sql)
  await sql.rows('delete from public.order_items where order_id = $1', [order.id])

  expect(await sql.refusal(`select private.start_payment_attempt($1, '10000100')`, [order.id])).toMatchObject(
    { code: 'PT409', reason: 'order_without_items' },
  )
})

test('checks a notice at once when its customer waits, at most every five seconds, until it is decided', async ({
  sql,
}) => {
  const order = await anOrder(sql)
  const attempt = await begin(sql, order)
  const notice = await aStoredNotice(sql, attempt)
  await sql.rows(`select private.schedule_notice_check($1, now() + interval '1 hour')`, [notice])

  await checkedBefore(sql, notice, '6 seconds')
  expect(await expedite(sql, order)).toBe(1)
  expect(
    await sql.value(`select run_at <= now() from graphile_worker.jobs where key = 'check_notice:' || $1`, [
      notice,
    ]),
  ).toBe(true)
  await checkedBefore(sql, notice, '4 seconds')
  expect(await expedite(sql, order)).toBe(0)
})

test.for([
  ['an hour', '1 hour', 180],
  ['a day', '1 day', 600],
] as const)(
  'checks a notice for its waiting customer less often when PayFast has not confirmed it for %s',
  async ([, age, seconds], { sql }) => {
    const order = await anOrder(sql)
    const notice = await sql.value<string>(
      `insert into public.payment_notices (raw_body, m_payment_id, headers, received_at)
       values ($1, $2, '{}', now() - $3::interval) returning id`,
      [SAYS_PAID, await begin(sql, order), age],
    )

    await checkedBefore(sql, notice, `${seconds + 5} seconds`)
    expect(await expedite(sql, order)).toBe(1)
    await checkedBefore(sql, notice, `${seconds - 5} seconds`)
    expect(await expedite(sql, order)).toBe(0)
  },
)

test('does not check a decided notice when its customer returns', async ({ sql }) => {
  const order = await anOrder(sql)
  const attempt = await begin(sql, order)
  const notice = await aStoredNotice(sql, attempt)
  await sql.rows(`insert into public.payment_notice_outcomes (notice_id, outcome) values ($1, 'denied')`, [
    notice,
  ])

  expect(await expedite(sql, order)).toBe(0)
})
