import { expect } from 'vitest'
import {
  aCustomer,
  anAdmin,
  aPromoCode,
  orderOf,
  type OrderRecord,
  popper,
  riggedStickBait,
  setStock,
  type UserClaims,
} from './shopping.ts'
import { type TestTransaction, test } from './sql.ts'

interface Books {
  /** R930.00 paid by EFT; one of its three poppers was returned for R110.00. */
  returned: OrderRecord
  unpaid: OrderRecord
  /** Paid R500.00 by EFT, then cancelled: its refund task is open. */
  cancelled: OrderRecord
  /** Paid with the promo code `TIDE`. */
  discounted: OrderRecord
}

async function openBooks(sql: TestTransaction): Promise<Books> {
  const admin = await anAdmin(sql)
  await aPromoCode(sql, { code: 'TIDE', discount_type: 'fixed', discount_value: 10 })
  const returned = await orderOf(sql, await aCustomer(sql), {
    lines: [{ ...popper, quantity: 3 }, riggedStickBait],
    total: 930,
  })
  const unpaid = await orderOf(sql, await aCustomer(sql), { lines: [popper], total: 210 })
  const cancelled = await orderOf(sql, await aCustomer(sql), { lines: [riggedStickBait], total: 600 })
  const discounted = await orderOf(sql, await aCustomer(sql), { lines: [popper], total: 200, promo: 'TIDE' })

  for (const order of [returned, cancelled, discounted]) await receiveEft(sql, admin, order)
  const [item] = await sql.rows<{ order_item_id: string }>(
    'select order_item_id from public.returnable_items($1) where product_name = $2',
    [returned.id, popper.product_name],
  )
  await sql.rows(
    `select public.record_refund(id, 110, 'One came chipped', $2) from public.payments where order_id = $1`,
    [returned.id, JSON.stringify([{ order_item_id: item?.order_item_id, quantity: 1 }])],
  )
  await sql.rows(`update public.orders set status = 'cancelled' where id = $1`, [cancelled.id])
  await sql.asShop()
  await sql.rows('set constraints all immediate')
  return { returned, unpaid, cancelled, discounted }
}

async function receiveEft(sql: TestTransaction, admin: UserClaims, order: OrderRecord): Promise<void> {
  await sql.as(admin)
  await sql.rows(`select public.record_payment($1, 'eft', 'FNB 4711')`, [order.id])
}

const PROTECTED = [
  'order_items',
  'orders',
  'payment_acceptances',
  'payment_refund_items',
  'payment_refunds',
  'payment_withdrawals',
  'payments',
  'product_variants',
  'promo_codes',
  'promo_redemptions',
  'refund_tasks',
  'stock_movements',
]

/** As a fault of a trigger would: changes what triggers protect, and a constraint. */
async function breakBooks(sql: TestTransaction, statement: string, values: unknown[]): Promise<void> {
  for (const table of PROTECTED) await sql.rows(`alter table public.${table} disable trigger user`)
  await sql.rows('alter table public.orders drop constraint past_payment_without_payment')
  await sql.rows(statement, values)
}

async function findBrokenSums(sql: TestTransaction): Promise<Record<string, number>> {
  const broken = await sql.rows<{ rule: string; rows: number }>(
    'select rule, rows::int from private.broken_sums()',
  )
  return Object.fromEntries(broken.map(({ rule, rows }) => [rule, rows]))
}

const STOCK = 'stock is the sum of its movements'
const RESERVED = 'only orders that await payment reserve lures'
const TAKEN = 'an order has taken its lures from stock once, or a cancelled or unpaid one returned them'
const PAID =
  'an order is paid if and only if it cost nothing, or the payments that paid it and their shortfall are exactly its total'
const PAID_ONCE = 'an order is paid by one payment, or by two with a request for the difference'
const RETURNED = 'the returned quantity of a line is the sum of its refunds'
const RETURNED_BY = 'no lure is returned by a payment that did not pay its order'
const TASK = 'a cancelled order with money has an open refund task, unless an admin dismissed that amount'
const REINSTATED = 'an order that was fully refunded while cancelled is not reinstated'
const EXISTS = 'the order of a payment that is not fully refunded exists'
const SHIPPED = 'no unpaid order is processed or shipped'
const ISSUE = 'a payment that paid no order has a payment issue'
const REFUNDS = 'the refunds of a payment do not exceed its amount'
const WITHDRAWN = 'only manual payments without refunds are withdrawn'
const USES = 'the uses of a promo code are the valid orders that use it'

interface Damage {
  damage: string
  order: keyof Books
  /** `$1` is the order's id. */
  statement: string
  broken: string[]
}

const EFT = `insert into public.payments (order_id, amount_gross, outcome, way, reference, recorded_by)`

const DAMAGES: Damage[] = [
  {
    damage: 'stock without a movement',
    order: 'returned',
    statement: `update public.product_variants set stock_quantity = stock_quantity + 1
      where id = (select min(m.variant_id::text)::uuid from public.stock_movements m where m.order_id = $1)`,
    broken: [STOCK],
  },
  {
    damage: 'a reservation of a cancelled order',
    order: 'unpaid',
    statement: `update public.orders set status = 'cancelled', cancelled_at = now() where id = $1`,
    broken: [RESERVED],
  },
  {
    damage: 'a lure that an order took twice',
    order: 'discounted',
    statement: `with taken as (update public.stock_movements set quantity = 2 * quantity where order_id = $1 returning variant_id)
      update public.product_variants v set stock_quantity = v.stock_quantity - 1 from taken t where v.id = t.variant_id`,
    broken: [TAKEN],
  },
  {
    damage: 'a lure that went back to stock while its order is valid',
    order: 'discounted',
    statement: `with returned as (
        insert into public.stock_movements (variant_id, quantity, reason, order_id)
        select variant_id, -quantity, 'returned', order_id from public.stock_movements where order_id = $1 returning variant_id)
      update public.product_variants v set stock_quantity = v.stock_quantity + 1 from returned r where v.id = r.variant_id`,
    broken: [TAKEN],
  },
  {
    damage: 'a payment of less than the total',
    order: 'discounted',
    statement: 'update public.payments set amount_gross = amount_gross - 1 where order_id = $1',
    broken: [PAID],
  },
  {
    damage: 'a paid order without its payment’s time',
    order: 'discounted',
    statement: 'update public.orders set paid_at = null where id = $1',
    broken: [PAID, SHIPPED],
  },
  {
    damage: 'a second payment that pays the order',
    order: 'returned',
    statement: `with second as (${EFT} values ($1, 0, 'wrong_amount', 'eft', 'FNB 4712', gen_random_uuid()) returning id)
      insert into public.payment_acceptances (payment_id, order_id, accepted_by) select id, $1, gen_random_uuid() from second`,
    broken: [PAID_ONCE, ISSUE],
  },
  {
    damage: 'a return that its line does not know',
    order: 'returned',
    statement: `update public.payment_refund_items set quantity = quantity + 1
      where refund_id in (select id from public.payment_refunds where order_id = $1)`,
    broken: [RETURNED],
  },
  {
    damage: 'a return by a payment of a wrong amount',
    order: 'returned',
    statement: `update public.payments set outcome = 'wrong_amount' where order_id = $1`,
    broken: [PAID, RETURNED_BY, ISSUE],
  },
  {
    damage: 'a refund task of another amount than the order holds',
    order: 'cancelled',
    statement: 'update public.refund_tasks set outstanding = outstanding - 1 where order_id = $1',
    broken: [TASK],
  },
  {
    damage: 'a cancelled order with money and without a refund task',
    order: 'cancelled',
    statement: 'delete from public.refund_tasks where order_id = $1',
    broken: [TASK],
  },
  {
    damage: 'a refund task that was dismissed before the order was cancelled',
    order: 'cancelled',
    statement: `update public.refund_tasks t set ended_as = 'dismissed', reason = 'Swapped', ended_at = o.cancelled_at - interval '1 s'
      from public.orders o where o.id = t.order_id and o.id = $1`,
    broken: [TASK],
  },
  {
    damage: 'an open refund task of an order that is not cancelled',
    order: 'cancelled',
    statement: `update public.orders set status = 'new', cancelled_at = null where id = $1`,
    broken: [TAKEN, TASK],
  },
  {
    damage: 'a reinstated order that had got money back',
    order: 'cancelled',
    statement: `with task as (
        update public.refund_tasks set ended_as = 'withdrawn', ended_at = now(), outstanding = paying_amount - 1 where order_id = $1)
      update public.orders set status = 'new', cancelled_at = null where id = $1`,
    broken: [TAKEN, REINSTATED],
  },
  {
    damage: 'a payment whose order is gone',
    order: 'discounted',
    statement: 'update public.payments set order_id = gen_random_uuid() where order_id = $1',
    broken: [PAID, EXISTS],
  },
  {
    damage: 'an unpaid order in production',
    order: 'unpaid',
    statement: `update public.orders set status = 'processing' where id = $1`,
    broken: [RESERVED, SHIPPED],
  },
  {
    damage: 'money without an order and without a payment issue',
    order: 'unpaid',
    statement: `${EFT} values (null, 5, 'unknown_order', 'eft', $1, gen_random_uuid())`,
    broken: [ISSUE],
  },
  {
    damage: 'a refund of more than was paid',
    order: 'returned',
    statement: 'update public.payment_refunds set amount = 930.01 where order_id = $1',
    broken: [REFUNDS],
  },
  {
    damage: 'a withdrawn payment that pays its order',
    order: 'discounted',
    statement: `insert into public.payment_withdrawals (payment_id, order_id, reason, withdrawn_by)
      select id, order_id, 'On the wrong order', gen_random_uuid() from public.payments where order_id = $1`,
    broken: [PAID],
  },
  {
    damage: 'a withdrawn payment that was refunded',
    order: 'returned',
    statement: `insert into public.payment_withdrawals (payment_id, order_id, reason, withdrawn_by)
      select id, order_id, 'On the wrong order', gen_random_uuid() from public.payments where order_id = $1`,
    broken: [PAID, WITHDRAWN],
  },
  {
    damage: 'a use that a promo code counts twice',
    order: 'discounted',
    statement:
      'update public.promo_codes set times_used = 2 where id = (select promo_code_id from public.orders where id = $1)',
    broken: [USES],
  },
  {
    damage: 'a released use of a valid order',
    order: 'discounted',
    statement: 'update public.promo_redemptions set released_at = now() where order_id = $1',
    broken: [USES],
  },
  {
    damage: 'a use by an order without the promo code',
    order: 'discounted',
    statement: 'update public.orders set promo_code_id = null where id = $1',
    broken: [USES],
  },
]

test('finds nothing broken in sound books', async ({ sql }) => {
  await openBooks(sql)
  expect(await findBrokenSums(sql)).toEqual({})
})

const MADE_TO_ORDER = 'update public.products set made_to_order = $2 where name = $1'

/** R430.00, paid; two of the three have to be made. */
async function partlyInStock(sql: TestTransaction): Promise<OrderRecord> {
  await sql.rows(MADE_TO_ORDER, [popper.product_name, true])
  await setStock(sql, popper, 1)
  const order = await orderOf(sql, await aCustomer(sql), { lines: [{ ...popper, quantity: 3 }], total: 430 })
  await receiveEft(sql, await anAdmin(sql), order)
  await sql.asShop()
  return order
}

test('finds nothing broken in an order of three made-to-order lures of which one was in stock', async ({
  sql,
}) => {
  await partlyInStock(sql)
  expect(await findBrokenSums(sql)).toEqual({})

  await sql.rows(MADE_TO_ORDER, [popper.product_name, false])
  expect(await findBrokenSums(sql), 'the product is no longer made to order').toEqual({})
})

test('the restore test’s sums find a made-to-order lure that went back to stock while its order is valid', async ({
  sql,
}) => {
  const order = await partlyInStock(sql)
  await sql.rows(
    `select private.move_stock(variant_id, 1, 'returned', order_id) from public.stock_movements where order_id = $1`,
    [order.id],
  )

  expect(await findBrokenSums(sql)).toEqual({ [TAKEN]: 1 })
})

test('finds nothing broken in a partly made order whose refund took a lure back to stock and was withdrawn', async ({
  sql,
}) => {
  const order = await partlyInStock(sql)
  await sql.as(await anAdmin(sql))
  const refund = await sql.value<string>(
    `select (public.record_refund(p.id, 110, 'One came chipped', (
       select jsonb_agg(jsonb_build_object('order_item_id', i.order_item_id, 'quantity', 1)) from public.returnable_items($1) i))).id
     from public.payments p where p.order_id = $1`,
    [order.id],
  )
  await sql.asShop()
  expect(await findBrokenSums(sql)).toEqual({})

  await setStock(sql, popper, 0)
  await sql.as(await anAdmin(sql))
  await sql.rows(`select public.withdraw_refund($1, 'Recorded on the wrong order')`, [refund])
  await sql.asShop()
  expect(await findBrokenSums(sql)).toEqual({})
})

test.for(DAMAGES)('the restore test’s sums find $damage', async ({ order, statement, broken }, { sql }) => {
  const books = await openBooks(sql)
  await breakBooks(sql, statement, [books[order].id])

  expect(await findBrokenSums(sql)).toEqual(Object.fromEntries(broken.map((rule) => [rule, 1])))
})

test('the totals of the ledger count payments and refunds until a moment, including that moment', async ({
  sql,
}) => {
  const { returned } = await openBooks(sql)
  const totals = (moment: string) =>
    sql.value(
      `select private.ledger_totals((select max(created_at) ${moment} from public.payments where order_id = $1))`,
      [returned.id],
    )

  expect(await totals(`- interval '1 microsecond'`)).toMatchObject({ payments: 0, received: 0 })
  expect(await totals('')).toMatchObject({ payments: 1, received: 930 })
  expect(await totals(`+ interval '1 day'`)).toEqual({
    payments: 3,
    received: 1730,
    refunds: 1,
    requested_back: 110,
  })
  expect(await totals(`- interval '1 day'`)).toMatchObject({ refunds: 0, requested_back: 0 })
})
