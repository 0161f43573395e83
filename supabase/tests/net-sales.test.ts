import { expect, onTestFailed } from 'vitest'
import { inTransaction } from '@saltfreak/backend'
import { openDatabase, seededRandom } from '@saltfreak/backend/testing'
import {
  aCustomer,
  anAdmin,
  aPromoCode,
  orderOf,
  markOrderPaid,
  popper,
  riggedStickBait,
  setStock,
} from './shopping.ts'
import { type TestTransaction, sqlOn, test } from './sql.ts'

interface LedgerRow {
  id: string
  code: string | null
  customer: string
  province: string
  paid_on: string | null
  is_sale: boolean
  total: number
  received: number
  lines: { name: string; value: number }[]
  refunds: { on: string; amount: number }[] | null
}

/** The orders, payments and refunds, without stored totals. */
const LEDGER = `
  select o.id, p.code, o.customer_id as customer, o.shipping_state as province,
    (o.paid_at at time zone 'Africa/Johannesburg')::date::text as paid_on,
    o.paid_at is not null and o.status <> 'cancelled' as is_sale,
    (o.total_amount * 100)::int as total,
    (select coalesce(sum(m.amount_gross) * 100, 0)::int from public.payments m where m.order_id = o.id) as received,
    (select json_agg(json_build_object('name', i.product_name, 'value', i.price * i.quantity * 100)) from public.order_items i
      where i.order_id = o.id) as lines,
    (select json_agg(json_build_object(
        'on', (e.created_at at time zone 'Africa/Johannesburg')::date::text, 'amount', (r.amount * 100)::int) order by e.id)
      from public.payment_refunds r join public.payment_refund_events e on e.refund_id = r.id and e.state = 'done'
      where r.order_id = o.id
        and not exists (select from public.payment_refund_events w where w.refund_id = r.id and w.state = 'withdrawn')) as refunds
  from public.orders o left join public.promo_codes p on p.id = o.promo_code_id
  where o.placed_at is not null`

class Sums extends Map<string, number> {
  add(key: string, cents: number) {
    this.set(key, (this.get(key) ?? 0) + cents)
  }

  get rounded() {
    return Object.fromEntries(
      [...this]
        .map(([key, cents]) => [key, Math.round(cents)] as const)
        .filter(([, cents]) => cents !== 0)
        .toSorted(([one], [other]) => (one < other ? -1 : 1)),
    )
  }
}

/** Adds everything up naively. Money in excess of the total is refunded first and does not reduce revenue. */
function recomputed(ledger: LedgerRow[]) {
  const [days, products, provinces, codes, clients] = [
    new Sums(),
    new Sums(),
    new Sums(),
    new Sums(),
    new Sums(),
  ]
  const count = (order: LedgerRow, day: string, cents: number) => {
    days.add(day, cents)
    provinces.add(order.province, cents)
    clients.add(order.customer, cents)
    if (order.code) codes.add(order.code, cents)
  }
  for (const order of ledger.filter(({ is_sale }) => is_sale)) {
    count(order, order.paid_on ?? '', order.total)
    for (const { name, value } of order.lines) products.add(name, value)
    let overpaid = Math.max(0, order.received - order.total)
    let left = order.total
    for (const back of order.refunds ?? []) {
      const excess = Math.min(overpaid, back.amount)
      overpaid -= excess
      const counted = Math.min(left, back.amount - excess)
      left -= counted
      count(order, back.on, -counted)
      for (const { name, value } of order.lines) products.add(name, (-value * counted) / order.total)
    }
  }
  return {
    days: days.rounded,
    products: products.rounded,
    provinces: provinces.rounded,
    codes: codes.rounded,
    clients: clients.rounded,
    revenue: [...days.values()].reduce((sum, cents) => sum + cents, 0),
  }
}

const PERIOD = `'2024-01-01', (now() at time zone 'Africa/Johannesburg')::date, 'Africa/Johannesburg'`

/** The same figures as the reports show them to an admin. */
async function reportedFigures(sql: TestTransaction, admin: { sub: string }, clients: string[]) {
  await sql.rows('set constraints all immediate')
  await sql.as(admin)
  const sums = async (question: string, values: unknown[] = []) => {
    const rows = await sql.rows<{ key: string; cents: string }>(question, values)
    const found = new Sums()
    for (const { key, cents } of rows) found.add(key, Number(cents))
    return found.rounded
  }
  const figures = {
    days: await sums(`select day::text as key, revenue * 100 as cents from public.sales_by_day(${PERIOD})`),
    products: await sums(
      `select product_name as key, revenue * 100 as cents from public.sales_by_product(${PERIOD})`,
    ),
    provinces: await sums(
      `select province as key, revenue * 100 as cents from public.sales_by_province(${PERIOD})`,
    ),
    codes: await sums('select code as key, revenue * 100 as cents from public.promo_code_results'),
    clients: await sums(
      `select id::text as key, (public.get_client(id) ->> 'spend')::numeric * 100 as cents from unnest($1::uuid[]) id`,
      [clients],
    ),
    revenue: await sql.value<number>(`select ((public.total_revenue() ->> 'revenue')::numeric * 100)::int`),
  }
  await sql.asShop()
  return figures
}

interface Received {
  orderId: string
  amount: number
  outcome: 'paid' | 'paid_twice'
}

async function aPayment(sql: TestTransaction, { orderId, amount, outcome }: Received): Promise<string> {
  return sql.value<string>(
    `insert into public.payments (order_id, amount_gross, outcome, way, recorded_by) values ($1, $2, $3, 'eft', gen_random_uuid())
     returning id`,
    [orderId, amount, outcome],
  )
}

async function aPaidOrder(sql: TestTransaction, promo?: string) {
  const customer = await aCustomer(sql)
  const total = promo ? 700 : 710
  const order = await orderOf(sql, customer, {
    lines: [popper, riggedStickBait],
    total,
    promo: promo ?? null,
  })
  await markOrderPaid(sql, order)
  return {
    ...order,
    customer: customer.sub,
    payment: await aPayment(sql, { orderId: order.id, amount: total, outcome: 'paid' }),
  }
}

interface Refund {
  admin: { sub: string }
  payment: string
  amount: number
}

async function refund(sql: TestTransaction, { admin, payment, amount }: Refund): Promise<void> {
  await sql.as(admin)
  await sql.rows(`select public.record_refund(payment_id => $1, amount => $2, reason => 'chipped paint')`, [
    payment,
    amount,
  ])
  await sql.asShop()
}

test('subtracts a refund from sales on the refund’s day, not on the sale’s day', async ({ sql }) => {
  const admin = await anAdmin(sql)
  const order = await aPaidOrder(sql)
  await sql.rows(
    `update public.orders set paid_at = '2025-03-02T10:00:00Z', status = 'delivered' where id = $1`,
    [order.id],
  )

  await refund(sql, { admin, payment: order.payment, amount: 140 })

  await sql.rows('set constraints all immediate')
  await sql.as(admin)
  const days = await sql.rows(
    `select revenue::float8, refunds::float8 from public.sales_by_day(${PERIOD}) where revenue <> 0 order by day`,
  )
  expect(days).toEqual([
    { revenue: 710, refunds: 0 },
    { revenue: -140, refunds: 140 },
  ])
  expect(await sql.value('select public.total_revenue()')).toMatchObject({
    gross: 710,
    refunds: 140,
    revenue: 570,
    average: 570,
  })
  expect(await sql.value('select public.get_client($1)', [order.customer])).toMatchObject({
    spend: 570,
    refunded: 140,
  })
})

test('does not subtract the refund of a duplicate payment from revenue', async ({ sql }) => {
  const admin = await anAdmin(sql)
  for (const which of ['first', 'second']) {
    const order = await aPaidOrder(sql)
    const second = await aPayment(sql, { orderId: order.id, amount: 710, outcome: 'paid_twice' })
    await refund(sql, { admin, payment: which === 'first' ? order.payment : second, amount: 710 })
  }

  await sql.rows('set constraints all immediate')
  await sql.as(admin)
  expect(await sql.value('select public.total_revenue()')).toMatchObject({
    gross: 1420,
    refunds: 0,
    revenue: 1420,
  })
})

test('counts a refund once when the order is cancelled in the same transaction', async ({ sql }) => {
  const admin = await anAdmin(sql)
  const cancel = (id: string) => sql.rows(`update public.orders set status = 'cancelled' where id = $1`, [id])
  const [one, other] = [await aPaidOrder(sql), await aPaidOrder(sql)]

  await cancel(one.id)
  await refund(sql, { admin, payment: one.payment, amount: 710 })
  await refund(sql, { admin, payment: other.payment, amount: 710 })
  await cancel(other.id)

  await sql.rows('set constraints all immediate')
  await sql.as(admin)
  expect(await sql.value('select public.total_revenue()')).toMatchObject({
    gross: 0,
    refunds: 0,
    revenue: 0,
  })
})

test('repairs sales totals that miss refunds by a recount', async ({ sql }) => {
  const admin = await anAdmin(sql)
  await aPromoCode(sql, { code: 'TEN', discount_type: 'fixed', discount_value: 10 })
  const order = await aPaidOrder(sql, 'TEN')
  await refund(sql, { admin, payment: order.payment, amount: 200 })
  await sql.rows('set constraints all immediate')
  const right = await reportedFigures(sql, admin, [order.customer])
  // Simulates refunds that were written without the triggers.
  await sql.rows(`delete from private.counted_refunds`)
  await sql.rows(`update private.sales_days set refunds = 0`)
  await sql.rows(`update private.promo_sales set revenue = revenue + 200 where paid_orders > 0`)

  await sql.rows('select private.recount_sales()')

  expect(await reportedFigures(sql, admin, [order.customer])).toEqual(right)
  expect(right).toEqual(recomputed(await sql.rows<LedgerRow>(LEDGER)))
})

interface PaidOrderEvent {
  admin: { sub: string }
  id: string
  random: () => number
}

/** Events of a paid order, each in its own transaction. Some are refused, which is fine. */
const EVENTS: ((sql: TestTransaction, event: PaidOrderEvent) => Promise<unknown>)[] = [
  refundSome,
  refundSome,
  refundSome,
  withdrawSome,
  (sql, { id, random }) =>
    aPayment(sql, { orderId: id, amount: 1 + Math.floor(random() * 899), outcome: 'paid_twice' }),
  (sql, { id }) => sql.rows(`update public.orders set status = 'cancelled' where id = $1`, [id]),
  (sql, { id }) => sql.rows(`update public.orders set status = 'delivered' where id = $1`, [id]),
  (sql, { id, random }) =>
    sql.rows(`update public.orders set paid_at = now() - make_interval(days => $2) where id = $1`, [
      id,
      Math.floor(random() * 400),
    ]),
  (sql, { id }) =>
    sql.rows(
      `update public.orders set promo_code_id = (select id from public.promo_codes order by random() limit 1)
       where id = $1 and promo_code_id is not null`,
      [id],
    ),
  async (sql, { id, random }) => {
    if (random() < 0.2) await sql.rows('delete from public.orders where id = $1', [id])
  },
]

async function refundSome(sql: TestTransaction, { admin, id, random }: PaidOrderEvent): Promise<void> {
  const [balance] = await sql.rows<{ payment_id: string; refundable: string }>(
    'select payment_id, refundable from public.payment_balances where order_id = $1 and refundable > 0 order by random() limit 1',
    [id],
  )
  if (!balance) return
  const all = Number(balance.refundable)
  const amount = random() < 0.3 ? all : (1 + Math.floor(random() * Math.ceil(all * 100))) / 100
  await refund(sql, { admin, payment: balance.payment_id, amount })
}

async function withdrawSome(sql: TestTransaction, { admin, id }: PaidOrderEvent): Promise<void> {
  await sql.as(admin)
  await sql.rows(
    `select public.withdraw_refund(id, 'recorded by mistake') from public.refunds
     where order_id = $1 and state = 'done' order by random() limit 1`,
    [id],
  )
  await sql.asShop()
}

test('keeps net sales totals correct under concurrent refunds, payments and deletions', async ({ shop }) => {
  const { seed, random } = seededRandom()
  onTestFailed(() => console.error(`PROPERTY_SEED=${seed}`))
  const connections = openDatabase(shop.url, { ownerConnections: 8 })
  const inShop = <T>(work: (sql: TestTransaction) => Promise<T>) =>
    inTransaction(connections.owner, (client) => work(sqlOn(client)))
  const { admin, orders } = await inShop(async (sql) => {
    for (const line of [popper, riggedStickBait]) await setStock(sql, line, 1000)
    for (const code of ['ONE', 'TWO'])
      await aPromoCode(sql, { code, discount_type: 'fixed', discount_value: 10 })
    const placed = []
    for (let n = 0; n < 24; n += 1) placed.push(await aPaidOrder(sql, ['ONE', 'TWO', undefined][n % 3]))
    return { admin: await anAdmin(sql), orders: placed }
  })
  // Drawn before the storm, whose order no seed repeats.
  const storm = orders
    .flatMap(({ id }) => Array.from({ length: 8 }, () => ({ id, place: random() })))
    .toSorted((one, other) => one.place - other.place)
    .map(({ id, place }, index) => ({ id, place, random: seededRandom(seed + index).random }))

  const outcomes = await Promise.allSettled(
    storm.map(({ id, place, ...event }) =>
      inShop(async (sql) => {
        await sql.rows('select setseed($1)', [place])
        await EVENTS[Math.floor(event.random() * EVENTS.length)]?.(sql, { admin, id, random: event.random })
        if (event.random() < 0.15) throw new Error('taken back')
      }),
    ),
  )

  const { reported, ledger } = await inShop(async (sql) => ({
    reported: await reportedFigures(
      sql,
      admin,
      orders.map(({ customer }) => customer),
    ),
    ledger: await sql.rows<LedgerRow>(LEDGER),
  }))
  const refusals = outcomes.flatMap((outcome) =>
    outcome.status === 'rejected' ? [String(outcome.reason)] : [],
  )
  await connections.close()
  expect(refusals.filter((message) => message.includes('deadlock'))).toEqual([])
  expect(outcomes.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThan(80)
  expect(ledger.some(({ is_sale, refunds }) => is_sale && refunds)).toBe(true)
  expect(reported).toEqual(recomputed(ledger))
})
