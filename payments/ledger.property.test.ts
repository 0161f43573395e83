/**
 * Random lives of a shop: buyers, notices good and bad, outages, cancellations, deletions, restocking, jobs that run late
 * or side by side. Whatever happens, the ledger adds up in the end. LEDGER_STEPS sets how many steps are taken; a failure
 * prints its seed and the shortest life that shows it.
 */
import * as fc from 'fast-check'
import { Hono } from 'hono'
import { afterAll, beforeAll, expect, it } from 'vitest'

import { runDueJobs } from '#backend/jobs/run-jobs.ts'
import { mailTasks } from '#emails/outbox/tasks.ts'
import { createPayments, paymentTasks } from '#payments/create-payments.ts'
import { aBuyer, placeOrder, type Buyer } from '#test/buyer.ts'
import { shopDatabase, type TestDatabase } from '#test/database.ts'
import { fakePayfast, type FakePayfast, type NoticeFields } from '#test/fake-payfast.ts'
import { quietLog } from '#test/quiet-log.ts'

import { startPayment } from './payfast/start-payment.ts'

const STEPS = Number(process.env.LEDGER_STEPS ?? 1500)
const STEPS_OF_A_LIFE = 50

let shop: TestDatabase
let payfast: FakePayfast
const app = new Hono()
/** How often each mail was handed over, by Message-ID. */
const delivered = new Map<string, number>()

beforeAll(async () => {
  shop = await shopDatabase()
  payfast = await fakePayfast()
  app.route(
    '/payments',
    createPayments({ owner: shop.database.owner, account: payfast.account, log: quietLog }),
  )
})
afterAll(async () => {
  await payfast.close()
  await shop.close()
})

/** One life: what was ordered and begun so far, and which money came. */
interface Life {
  buyers: Buyer[]
  orders: { id: string; total: string }[]
  attempts: NoticeFields[]
  /** Payments whose notice was answered 200 and that PayFast will confirm. */
  taken: Set<string>
}

type Step = (life: Life) => Promise<void>

const index = fc.nat({ max: 9 })
const buying = fc.tuple(index, fc.boolean(), fc.integer({ min: 1, max: 3 }))
const paying = fc.tuple(
  index,
  fc.constantFrom('exact', 'exact', 'exact', 'short', 'over', 'forged', 'foreign', 'failed'),
  fc.integer({ min: 1, max: 3 }),
)

const step: fc.Arbitrary<[name: string, run: Step]> = fc.oneof(
  { weight: 5, arbitrary: buying.map(([who, isBig, quantity]) => named('buy', buy(who, isBig, quantity))) },
  { weight: 5, arbitrary: index.map((which) => named('begin', begin(which))) },
  {
    weight: 6,
    arbitrary: paying.map(([which, kind, copies]) => named(`pay ${kind}`, pay(which, kind, copies))),
  },
  { weight: 4, arbitrary: fc.constant(named('jobs', runJobs)) },
  { weight: 2, arbitrary: fc.constant(named('jobs, later', runJobsLater)) },
  { weight: 2, arbitrary: fc.constantFrom('valid', 'outage').map((mood) => named(mood, setMood(mood))) },
  { weight: 2, arbitrary: index.map((which) => named('cancel', onOrder(which, CANCEL))) },
  { weight: 2, arbitrary: index.map((which) => named('expire', onOrder(which, EXPIRE))) },
  { weight: 1, arbitrary: index.map((which) => named('delete', onOrder(which, DELETE))) },
  { weight: 1, arbitrary: fc.constant(named('restock', restock)) },
)

const CANCEL = [`select private.cancel_order($1, 'customer')`]
const EXPIRE = [
  `update public.orders set expires_at = now() - interval '1 minute' where id = $1 and expires_at is not null`,
  'select private.expire_orders()',
]
const DELETE = ['delete from public.orders where id = $1']

it(`adds up after any ${STEPS} steps`, { timeout: 600_000 }, async () => {
  const life = fc.array(step, { minLength: STEPS_OF_A_LIFE, maxLength: STEPS_OF_A_LIFE })
  await fc.assert(
    fc.asyncProperty(life, async (steps) => {
      const lived = await beginLife()
      for (const [, run] of steps) await run(lived)
      await settle()
      await expectSums(lived)
    }),
    { numRuns: Math.ceil(STEPS / STEPS_OF_A_LIFE), endOnFailure: true },
  )
  // Lives in which little happens would prove little.
  const outcomes = await sql('select distinct outcome from public.payments')
  expect(outcomes.length).toBeGreaterThan(4)
})

async function beginLife(): Promise<Life> {
  payfast.mood = 'valid'
  await sql(
    `select private.cancel_order(id, 'end of a life') from public.orders where status = 'pending_payment'`,
  )
  // Few of each, so that lures run out.
  await sql('update public.product_variants set stock_quantity = 6')
  const buyers = await Promise.all([1, 2, 3].map(() => aBuyer(shop.database)))
  return { buyers, orders: [], attempts: [], taken: new Set() }
}

function named(name: string, run: Step): [string, Step] {
  return [name, Object.assign(run, { [fc.toStringMethod]: () => name })]
}

function buy(who: number, isBig: boolean, quantity: number): Step {
  return async ({ buyers, orders }) => {
    const buyer = pick(buyers, who)
    await sql('delete from public.cart_items where user_id = $1', [buyer.userId])
    const wish = { quantity, ...(isBig && { product: 'Slow Sinking Stick Bait (180mm/150G)' }) }
    const order = await unlessRefused(placeOrder(shop.database, buyer, wish))
    if (order) orders.push({ id: order.id, total: order.total_amount })
  }
}

function begin(which: number): Step {
  return async ({ orders, attempts }) => {
    if (orders.length === 0) return
    const { id } = pick(orders, which)
    const customer = { id, customer_name: 'Thandi', customer_email: null, customer_phone: null }
    const parts = { database: shop.database, publicUrl: 'https://shop.example', payfast: payfast.account }
    const form = await unlessRefused(startPayment(customer, parts))
    if (!form) return
    const { m_payment_id = '', amount = '' } = form.paymentData
    attempts.push({ m_payment_id, amount_gross: amount })
  }
}

let nextPayment = 1

function pay(which: number, kind: string, copies: number): Step {
  return async ({ attempts, taken }) => {
    if (attempts.length === 0) return
    const pf_payment_id = `life-${nextPayment++}`
    const fields = { ...pick(attempts, which), pf_payment_id }
    const changes: Record<string, Partial<NoticeFields>> = {
      short: { amount_gross: '1.00' },
      over: { amount_gross: '9999.00' },
      foreign: { merchant_id: '1' },
      failed: { payment_status: 'FAILED' },
    }
    const body = payfast.notice({ ...fields, ...changes[kind] }, kind === 'forged' ? 'guess' : undefined)
    const answers = await Promise.all(
      Array.from({ length: copies }, async () =>
        app.request('/payments/payfast/notice', { method: 'POST', body }),
      ),
    )
    const isTaken = ['exact', 'short', 'over'].includes(kind) && answers.some(({ status }) => status === 200)
    if (isTaken) taken.add(pf_payment_id)
  }
}

function setMood(mood: 'valid' | 'outage'): Step {
  return async () => {
    payfast.mood = mood
  }
}

async function restock(): Promise<void> {
  await sql('update public.product_variants set stock_quantity = stock_quantity + 1')
}

function onOrder(which: number, statements: string[]): Step {
  return async ({ orders }) => {
    if (orders.length === 0) return
    const { id } = pick(orders, which)
    for (const statement of statements) await sql(statement, statement.includes('$1') ? [id] : [])
  }
}

/** Two workers side by side. */
async function runJobs(): Promise<void> {
  await Promise.all([work(), work()])
}

async function runJobsLater(): Promise<void> {
  await sql('update graphile_worker._private_jobs set run_at = now() where run_at > now()')
  await runJobs()
}

async function settle(): Promise<void> {
  payfast.mood = 'valid'
  for (let round = 0; round < 3; round++) await runJobsLater()
}

async function work(): Promise<void> {
  const { owner } = shop.database
  const tasks = {
    ...paymentTasks({ owner, account: payfast.account, log: quietLog }),
    ...mailTasks({
      owner,
      publicUrl: 'https://shop.example',
      mailFrom: 'shop@shop.example',
      shopEmail: 'shop@shop.example',
      deliver: async ({ messageId }) => void delivered.set(messageId, (delivered.get(messageId) ?? 0) + 1),
      log: quietLog,
    }),
  }
  await runDueJobs({ pool: owner, tasks, log: quietLog })
}

async function expectSums({ taken }: Life): Promise<void> {
  expect(await sql(STOCK_IS_NOT_THE_SUM_OF_ITS_MOVEMENTS)).toEqual([])
  expect(await sql(MORE_IS_HELD_THAN_THERE_IS)).toEqual([])
  expect(await sql(PAID_WITHOUT_MONEY)).toEqual([])
  expect(await sql(MONEY_WITHOUT_AN_ANSWER)).toEqual([])
  expect(await sql(UNDECIDED_NOTICES)).toEqual([])
  expect(await sql(PAID_WITHOUT_BOTH_MAILS)).toEqual([])
  expect(
    await sql('select pf_payment_id from public.payments where pf_payment_id = any ($1)', [[...taken]]),
  ).toHaveLength(taken.size)
  expect([...delivered.values()].filter((times) => times !== 1)).toEqual([])
}

const STOCK_IS_NOT_THE_SUM_OF_ITS_MOVEMENTS = `
  select v.id from public.product_variants v
  where v.stock_quantity <> (select coalesce(sum(m.quantity), 0) from public.stock_movements m where m.variant_id = v.id)`
const MORE_IS_HELD_THAN_THERE_IS = `
  select v.id from public.product_variants v join public.stock_holds h on h.variant_id = v.id and h.expires_at > now()
  group by v.id having sum(h.quantity) > v.stock_quantity`
/** Paid if and only if one confirmed payment of exactly the order's total did it. */
const PAID_WITHOUT_MONEY = `
  select o.id from public.orders o
  where (o.paid_at is not null) <> exists (
    select from public.payments p
    where p.order_id = o.id and p.outcome in ('paid', 'reinstated') and p.amount_gross = o.total_amount)`
const MONEY_WITHOUT_AN_ANSWER = `
  select p.id from public.payments p
  where p.outcome not in ('paid', 'reinstated')
    and not exists (select from public.payment_concerns c where c.notice_id = p.notice_id and c.kind = p.outcome)`
const UNDECIDED_NOTICES = `
  select n.id from public.payment_notices n
  where not exists (select from public.payment_notice_outcomes o where o.notice_id = n.id)`
const PAID_WITHOUT_BOTH_MAILS = `
  select o.id from public.orders o
  where o.paid_at is not null and 2 <> (
    select count(*) from public.mails m
    where m.key in ('order-confirmation:' || o.id, 'order-notification:' || o.id) and m.status = 'sent')`

async function sql(text: string, values: unknown[] = []): Promise<unknown[]> {
  return (await shop.database.owner.query(text, values)).rows
}

/** A refusal by the rules is a step like any other; everything else is a bug. */
async function unlessRefused<T>(attempt: Promise<T>): Promise<T | null> {
  try {
    return await attempt
  } catch (error) {
    if (error instanceof Error && 'code' in error && String(error.code).startsWith('PT4')) return null
    throw error
  }
}

function pick<T>(from: T[], which: number): T {
  const picked = from[which % from.length]
  if (picked === undefined) throw new Error('nothing to pick from')
  return picked
}
