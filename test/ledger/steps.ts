import * as fc from 'fast-check'

import { placeOrder } from '#test/buyer.ts'
import type { NoticeFields } from '#test/fake-payfast.ts'
import { startPayment } from '#payments/payfast/start-payment.ts'

import {
  actAs,
  cutPower,
  type Life,
  LEDGER_LURES,
  LEDGER_PROMO_CODES,
  runJobs,
  runJobsLater,
  startAgain,
} from './life.ts'

type Run = (life: Life) => Promise<void>

/** The label names the step in a printed failing life. */
export type Step = Run & { label: string }

const index = fc.nat({ max: 9 })

const buying = fc.record({
  who: index,
  product: fc.constantFrom(LEDGER_LURES.cheap, LEDGER_LURES.big, LEDGER_LURES.madeToOrder),
  quantity: fc.integer({ min: 1, max: 3 }),
  promo: fc.constantFrom(undefined, undefined, LEDGER_PROMO_CODES.few, LEDGER_PROMO_CODES.free),
})
const paying = fc.record({
  which: index,
  kind: fc.constantFrom('exact', 'exact', 'exact', 'short', 'over', 'forged', 'foreign', 'failed'),
  copies: fc.integer({ min: 1, max: 3 }),
})

const EXPIRE = `update public.orders set expires_at = now() - interval '1 minute' where id = $1 and expires_at is not null`
const END_RESERVATION = `update public.stock_reservations set expires_at = now() - interval '1 second' where order_id = $1`

/** Steps of buyers, PayFast, the mail server and the clock. */
const events: fc.WeightedArbitrary<Step>[] = [
  {
    weight: 10,
    arbitrary: buying.map((purchase) => named(`buy${purchase.promo ? ' with a code' : ''}`, buy(purchase))),
  },
  { weight: 10, arbitrary: index.map((which) => named('begin', startPaymentOf(which))) },
  { weight: 12, arbitrary: paying.map((money) => named(`pay ${money.kind}`, pay(money))) },
  { weight: 2, arbitrary: index.map((which) => named('repeat a notice', repeatNotice(which))) },
  { weight: 2, arbitrary: index.map((which) => named('miss a notice', missNotice(which))) },
  { weight: 8, arbitrary: fc.constant(named('jobs', ({ world }) => runJobs(world))) },
  { weight: 4, arbitrary: fc.constant(named('jobs, hours later', ({ world }) => runJobsLater(world))) },
  {
    weight: 3,
    arbitrary: fc
      .constantFrom('valid' as const, 'outage' as const)
      .map((behaviour) =>
        named(`PayFast: ${behaviour}`, async ({ world }) => void (world.payfast.behaviour = behaviour)),
      ),
  },
  {
    weight: 2,
    arbitrary: fc
      .boolean()
      .map((isDown) => named(`mail down: ${isDown}`, async ({ world }) => void (world.mail.isDown = isDown))),
  },
  { weight: 4, arbitrary: index.map((which) => named('cancel as customer', cancelAsCustomer(which))) },
  { weight: 3, arbitrary: index.map((which) => named('expire', expireBy(which, EXPIRE))) },
  { weight: 2, arbitrary: index.map((which) => named('end reservation', expireBy(which, END_RESERVATION))) },
]

const CANCEL_UNPAID = `update public.orders set status = 'cancelled' where id = $1 and status = 'pending_payment'`
const SET_STATUS = 'update public.orders set status = $2 where id = $1'
const REFUND = `
  select public.record_refund(p.payment_id, least(p.amount_gross, $2::numeric), 'A random refund', case when $3::int = 0 then '[]' else (
    select jsonb_agg(jsonb_build_object('order_item_id', i.order_item_id, 'quantity', $3::int))
    from public.returnable_items($1) i) end)
  from public.payment_balances p where p.order_id = $1`
const WITHDRAW = `
  select public.withdraw_refund(r.id, 'A random slip') from public.refunds r
  where r.order_id = $1 and r.state = 'done' order by r.amount, r.id limit 1`
const WITHDRAW_PAYMENT = `
  select public.withdraw_payment(b.payment_id, 'A random slip') from public.payment_balances b
  where b.order_id = $1 and b.way <> 'payfast' order by b.amount_gross, b.payment_id limit 1`
const ACCEPT = `
  select public.accept_late_payment(c.payment_id) from public.open_payment_issues c
  where c.order_id = $1 and c.kind = 'sold_out'`
const SHORT = `
  from public.open_payment_issues c where c.order_id = $1 and c.kind = 'wrong_amount' and c.payment_id is not null`
const ACCEPT_SHORT = `select public.accept_short_payment(c.payment_id) ${SHORT}`
const REQUEST_TOP_UP = `select public.request_top_up(c.payment_id) ${SHORT}`
const RECORD_EFT = `select public.record_payment($1, 'eft', 'A random transfer')`
const RECORD_PART = `select public.record_payment($1, 'cash', 'A random part', $2)`
const RECORD_REST = `
  select public.record_payment($1, 'eft', 'A random rest', o.total_amount - (
    select coalesce(sum(b.amount_gross - b.given_back), 0) from public.payment_balances b where b.order_id = o.id))
  from public.orders o where o.id = $1`
const LIST_IN_HISTORY = `
  select private.reconcile(today.day, today.day, $1)
  from (select (now() at time zone 'Africa/Johannesburg')::date as day) as today`
const RECORD_MISSED = `
  select public.record_missed_payment(c.id) from public.open_payment_issues c
  where c.order_id = $1 and c.kind = 'missed_notice'`
const DISMISS = `
  select public.dismiss_refund_task(t.id, 'A random reason') from public.refund_tasks t where t.order_id = $1 and t.is_open`

/** Steps of the brothers, sensible or not. */
const decisions: fc.WeightedArbitrary<Step>[] = [
  {
    weight: 5,
    arbitrary: fc
      .tuple(index, fc.constantFrom('new', 'processing', 'shipped', 'delivered', 'cancelled'))
      .map(([which, status]) => named(`set ${status}`, asAdmin(which, SET_STATUS, [status]))),
  },
  {
    weight: 3,
    arbitrary: fc
      .tuple(index, fc.constantFrom(40, 240, 10_000), fc.constantFrom(0, 0, 1, 2))
      .map(([which, amount, returned]) =>
        named(`refund ${amount}, ${returned} back`, asAdmin(which, REFUND, [amount, returned])),
      ),
  },
  { weight: 3, arbitrary: index.map((which) => named('withdraw a refund', asAdmin(which, WITHDRAW))) },
  {
    weight: 2,
    arbitrary: index.map((which) => named('withdraw a payment', asAdmin(which, WITHDRAW_PAYMENT))),
  },
  { weight: 2, arbitrary: index.map((which) => named('accept late payment', asAdmin(which, ACCEPT))) },
  { weight: 2, arbitrary: index.map((which) => named('accept short', asAdmin(which, ACCEPT_SHORT))) },
  {
    weight: 4,
    arbitrary: index.map((which) => named('request top-up', asAdmin(which, REQUEST_TOP_UP))),
  },
  { weight: 2, arbitrary: index.map((which) => named('record an EFT', asAdmin(which, RECORD_EFT))) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(index, fc.constantFrom(1, 100, 10_000))
      .map(([which, amount]) => named(`record cash of ${amount}`, asAdmin(which, RECORD_PART, [amount]))),
  },
  { weight: 2, arbitrary: index.map((which) => named('record the rest', asAdmin(which, RECORD_REST))) },
  {
    weight: 3,
    arbitrary: index.map((which) => named('record a missed payment', asAdmin(which, RECORD_MISSED))),
  },
  { weight: 1, arbitrary: index.map((which) => named('dismiss a refund', asAdmin(which, DISMISS))) },
  {
    weight: 3,
    arbitrary: index.map((which) =>
      named('cancel, reinstate', async (life) => {
        await asAdmin(which, SET_STATUS, ['cancelled'])(life)
        await asAdmin(which, SET_STATUS, ['new'])(life)
      }),
    ),
  },
  {
    weight: 1,
    arbitrary: index.map((which) =>
      named('delete', asAdmin(which, 'delete from public.orders where id = $1')),
    ),
  },
  { weight: 2, arbitrary: fc.constant(named('restock', addStock)) },
  { weight: 1, arbitrary: fc.constant(named('stop making to order', stopMakingToOrder)) },
]

const single = fc.oneof(...events, ...decisions)

export const powerCut: fc.Arbitrary<Step> = fc
  .tuple(single, fc.nat({ max: 25 }))
  .map(([step, moment]) => named(`power cut in: ${step.label}`, interruptByPowerCut(step, moment)))

/** One step, several concurrent steps, or one step with a power cut. */
export const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 12, arbitrary: single },
  {
    weight: 2,
    arbitrary: fc.array(single, { minLength: 2, maxLength: 4 }).map((steps) =>
      named(`at once: ${steps.map(({ label }) => label).join(' + ')}`, async (life) => {
        await Promise.all(steps.map((step) => step(life)))
      }),
    ),
  },
  { weight: 1, arbitrary: powerCut },
)

/** An order that is paid short and then in full: two outcomes of payments. */
export const paidTwice: Step[] = [
  named('buy', buy({ who: 0, product: LEDGER_LURES.cheap, quantity: 1, promo: undefined })),
  named('begin', startPaymentOf(0)),
  named('pay short', pay({ which: 0, kind: 'short', copies: 1 })),
  named('pay exact', pay({ which: 0, kind: 'exact', copies: 1 })),
  named('jobs', ({ world }) => runJobs(world)),
]

function named(label: string, run: Run): Step {
  return Object.assign(run, { label, [fc.toStringMethod]: () => label })
}

interface Purchase {
  who: number
  product: string
  quantity: number
  promo: string | undefined
}

function buy({ who, product, quantity, promo }: Purchase): Run {
  return async ({ world: { shop }, buyers, orders }) => {
    const buyer = pick(buyers, who)
    await shop.database.owner.query('delete from public.cart_items where user_id = $1', [buyer.userId])
    const options = { product, quantity, ...(promo && { promoCode: promo }) }
    const order = await ignoreRejection(placeOrder(shop.database, buyer, options))
    if (order) orders.push({ id: order.id, total: order.total_amount })
  }
}

function startPaymentOf(which: number): Run {
  return async ({ world: { shop, payfast }, orders, attempts }) => {
    if (orders.length === 0) return
    const { id } = pick(orders, which)
    const customer = { id, customerName: 'Thandi', customerEmail: null, customerPhone: null }
    const parts = { database: shop.database, publicUrl: 'https://shop.example', payfast: payfast.account }
    const form = await ignoreRejection(startPayment(customer, parts))
    if (!form) return
    const { m_payment_id = '', amount = '' } = form.paymentData
    attempts.push({ m_payment_id, amount_gross: amount })
  }
}

interface Money {
  which: number
  kind: string
  copies: number
}

let nextPayment = 1

function pay({ which, kind, copies }: Money): Run {
  return async (life) => {
    const { attempts, taken, notices, world } = life
    if (attempts.length === 0) return
    const pf_payment_id = `life-${nextPayment++}`
    const fields = { ...pick(attempts, which), pf_payment_id }
    const changes: Record<string, Partial<NoticeFields>> = {
      short: { amount_gross: '1.00' },
      over: { amount_gross: '9999.00' },
      foreign: { merchant_id: '1' },
      failed: { payment_status: 'FAILED' },
    }
    const body = world.payfast.notice(
      { ...fields, ...changes[kind] },
      kind === 'forged' ? 'guess' : undefined,
    )
    notices.push(body)
    const answers = await Promise.all(Array.from({ length: copies }, () => send(body, life)))
    if (['exact', 'short', 'over'].includes(kind) && answers.includes(200)) taken.add(pf_payment_id)
  }
}

function repeatNotice(which: number): Run {
  return async (life) => {
    if (life.notices.length > 0) await send(pick(life.notices, which), life)
  }
}

/** PayFast's history lists a payment whose notice has not arrived; repeating it delivers it. */
function missNotice(which: number): Run {
  return async ({ attempts, notices, world }) => {
    if (attempts.length === 0) return
    const { m_payment_id, amount_gross: gross } = pick(attempts, which)
    const pf_payment_id = `life-${nextPayment++}`
    notices.push(world.payfast.notice({ m_payment_id, amount_gross: gross, pf_payment_id }))
    await world.shop.database.owner.query(LIST_IN_HISTORY, [
      JSON.stringify([{ pf_payment_id, m_payment_id, gross }]),
    ])
  }
}

async function send(body: string, { world }: Life): Promise<number> {
  const answer = await world.endpoint.request('/payments/payfast/notice', { method: 'POST', body })
  return answer.status
}

function cancelAsCustomer(which: number): Run {
  return async ({ world, buyers, orders }) => {
    if (orders.length === 0) return
    const { id } = pick(orders, which)
    // Only the order's owner can see it; for the other two buyers the call changes nothing.
    for (const { userId } of buyers) {
      // oxlint-disable-next-line no-await-in-loop -- buyers act one after the other
      await ignoreRejection(actAs(userId, world, { text: CANCEL_UNPAID, values: [id] }))
    }
  }
}

function expireBy(which: number, statement: string): Run {
  return async ({ world: { shop }, orders }) => {
    if (orders.length === 0) return
    await shop.database.owner.query(statement, [pick(orders, which).id])
    await shop.database.owner.query('select private.expire_orders()')
  }
}

function asAdmin(which: number, text: string, values: unknown[] = []): Run {
  return async ({ world, orders }) => {
    if (orders.length === 0) return
    await ignoreRejection(actAs(world.adminId, world, { text, values: [pick(orders, which).id, ...values] }))
  }
}

async function addStock({ world: { shop } }: Life): Promise<void> {
  await shop.database.owner.query('update public.product_variants set stock_quantity = stock_quantity + 1')
}

async function stopMakingToOrder({ world: { shop } }: Life): Promise<void> {
  await shop.database.owner.query('update public.products set made_to_order = false where made_to_order')
}

/** Cuts the power after `moment` database responses on another connection, which is during the step or just after it. */
function interruptByPowerCut(run: Run, moment: number): Run {
  return async (life) => {
    const going = run(life).catch((error: unknown) => {
      if (!isLostConnection(error)) throw error
    })
    for (let passed = 0; passed < moment; passed++) {
      // oxlint-disable-next-line no-await-in-loop -- each query is a tick of the clock
      await life.world.observer.query('select')
    }
    await cutPower(life.world)
    await going
    // Only now has the step given back its last connection.
    await startAgain(life.world)
    life.world.epoch += 1
  }
}

/** 57P01 is "terminating connection due to administrator command"; the kernel resets a connection with unread data. */
const CUT = new Set<unknown>(['57P01', 'ECONNRESET', 'EPIPE'])

/** Also matches the driver's own errors, and an aborted round of jobs by its cause. */
function isLostConnection(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if ('code' in error && CUT.has(error.code)) return true
  return /connection/i.test(error.message) || isLostConnection(error.cause)
}

/** Returns null for a rejection by the shop's rules or a conflict of two tabs on one cart; throws every other error. */
async function ignoreRejection<T>(attempt: Promise<T>): Promise<T | null> {
  try {
    return await attempt
  } catch (error) {
    if (error instanceof Error && 'code' in error && /^(PT4\d\d|23505)$/.test(String(error.code))) return null
    throw error
  }
}

function pick<T>(from: T[], which: number): T {
  const picked = from[which % from.length]
  if (picked === undefined) throw new Error('nothing to pick from')
  return picked
}
