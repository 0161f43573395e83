/** The drop as browsers see it: page, sign-in, cart, order, payment, notice. */
import { isBackendError } from '#app/data/backend-error.ts'
import { stickBait } from '#test/shopping.ts'
import { call, type TradingShop, withDatabase } from './crowd.ts'
import type { BenchResult } from './result.ts'
import { type Account, orderAndPay, signUp } from './whole-order.ts'

/** Signing up and in together stay below the limit of sign-ins from one address. */
const BUYERS = 120
const PIECES = 24

/** Every row must be zero. */
const FAULTS = `
  with variant as (
    select v.* from public.product_variants v join public.products p on p.id = v.product_id
    where p.name = $1 and v.name = $2
  ), bought as (
    select o.* from public.orders o where o.customer_id = any ($3)
  )
  select
    (select abs(stock_quantity) from variant)::int as left_over,
    (select abs(count(*) filter (where paid_at is not null) - $4) from bought)::int as not_sold,
    (select count(*) from bought where paid_at is null)::int as unpaid,
    (select count(*) from public.payments b join bought o on o.id = b.order_id
      where not exists (select from public.stock_movements m where m.order_id = o.id and m.quantity < 0))::int as charged_without_product,
    (select count(*) from (
      select o.id from bought o left join public.payments b on b.order_id = o.id
      group by o.id, o.total_amount having coalesce(sum(b.amount_gross), 0) <> o.total_amount) wrong)::int as wrong_amounts`

export async function dropThroughWholeFlow(shop: TradingShop): Promise<BenchResult> {
  const accounts = await Promise.all(Array.from({ length: BUYERS }, () => signUp(shop)))
  const line = [stickBait.product_name, stickBait.product_variant]
  await withDatabase(shop.databaseUrl, async (client) => {
    await client.query('delete from public.stock_reservations')
    await client.query(
      `update public.product_variants v set stock_quantity = $3 from public.products p
       where p.id = v.product_id and p.name = $1 and v.name = $2`,
      [...line, PIECES],
    )
  })
  const start = performance.now()
  const outcomes = await Promise.all(accounts.map((account) => buy(shop, account)))
  const seconds = (performance.now() - start) / 1000
  const { rows } = await withDatabase(shop.databaseUrl, (client) =>
    client.query<Record<string, number>>(FAULTS, [...line, accounts.map(({ userId }) => userId), PIECES]),
  )
  const faults = Object.entries(rows[0] ?? { unknown: 1 }).filter(([, count]) => count !== 0)
  const paid = outcomes.filter((outcome) => outcome === 'paid').length
  return {
    question: 'Drop: page, sign-in, order, payment',
    load: `${BUYERS} buyers of ${PIECES} pieces at once`,
    result: `${paid} paid, ${outcomes.length - paid} told sold out in ${seconds.toFixed(1)} s; ${faults.length === 0 ? 'nothing oversold, every payment has its product' : JSON.stringify(faults)}`,
    comparison: `exactly ${PIECES} paid`,
    isMet: paid === PIECES && faults.length === 0,
  }
}

async function buy(shop: TradingShop, account: Account): Promise<'paid' | 'sold out'> {
  await call(shop, { path: '/products' })
  try {
    await orderAndPay(shop, account)
    return 'paid'
  } catch (error) {
    if (isBackendError(error) && error.details === 'sold_out') return 'sold out'
    throw error
  }
}
