import { useQuery } from '@tanstack/react-query'
import { queryBackend } from '#app/data/query-backend.ts'
import type { BrowserClient, Tables } from '#database'
import { centsFromRand } from '#domain/money.ts'
import type { OrderView } from '#domain/order.ts'
import { issueText } from '../needs-attention/issue-text.ts'

/** Refunds, the waived amount and open payment issues of an order, from the payment ledger. */
export interface OrderMoney {
  /** What refunds took off the order's total; money paid in excess of it goes back first. */
  refundedCents: number
  /** What the shop keeps of the order's total after its refunds; after a short payment that was accepted, less than the rest of the total. */
  netCents: number
  /** What was waived of a short payment that was accepted. */
  waivedCents: number
  /** The titles of its open issues. */
  issues: string[]
}

export const NO_ORDER_MONEY: OrderMoney = { refundedCents: 0, netCents: 0, waivedCents: 0, issues: [] }

type PricedOrder = Pick<OrderView, 'id' | 'totalCents'>

/** A second payment of a paid order and the decision about a notice change no row of the order, so live updates do not tell about them. */
export const LEDGER_REFETCH_MS = 30_000

interface OrderMoneyOptions {
  isEnabled: boolean
  refetchInterval?: number
}

/** Refunds, waived amounts and open issues by order id. The map leaves out orders without any of them. Admins only. */
export function useOrderMoney(
  orders: readonly PricedOrder[],
  { isEnabled, refetchInterval }: OrderMoneyOptions,
) {
  const ids = orders.map(({ id }) => id)
  return useQuery({
    queryKey: ['order-money', 'of-list', ids],
    enabled: isEnabled && ids.length > 0,
    queryFn: () => loadOrderMoney(orders),
    refetchInterval,
  })
}

async function loadOrderMoney(orders: readonly PricedOrder[]): Promise<Map<string, OrderMoney>> {
  const ids = orders.map(({ id }) => id)
  const [balances, issues] = await Promise.all([
    queryBackend((backend) => balancesOf(backend, ids)),
    queryBackend((backend) =>
      backend
        .from('open_payment_issues')
        .select('order_id, kind, payment_id, amount_gross, detail')
        .in('order_id', ids),
    ),
  ])
  const money = orders.map((order) => {
    const own = balances.filter(({ order_id }) => order_id === order.id)
    return {
      id: order.id,
      refundedCents: refundedCents(order, own),
      netCents: netCents(order, own),
      waivedCents: waivedCents(order, own),
      issues: issues.filter(({ order_id }) => order_id === order.id).map((issue) => issueText(issue).title),
    }
  })
  return new Map(
    money
      .filter((of) => of.refundedCents > 0 || of.waivedCents > 0 || of.issues.length > 0)
      .map(({ id, ...of }) => [id, of]),
  )
}

/** Amounts in rand. */
export type BalanceSum = Pick<Tables<'payment_balances'>, 'amount_gross' | 'given_back' | 'pays_order'>

export function balancesOf(backend: BrowserClient, orderIds: readonly string[]) {
  return backend
    .from('payment_balances')
    .select('order_id, amount_gross, given_back, pays_order')
    .in('order_id', orderIds)
}

/**
 * Returns what refunds took off the total of an order, in cents, as sales figures count it (decision 0028): after a double payment nothing,
 * whichever of the two went back. An order that no payment pays keeps its total.
 */
export function refundedCents(
  { totalCents }: Pick<PricedOrder, 'totalCents'>,
  balances: readonly BalanceSum[],
): number {
  if (!balances.some((balance) => balance.pays_order)) return 0
  const overpaid = Math.max(0, sumOf(balances, 'amount_gross') - totalCents)
  return Math.max(0, sumOf(balances, 'given_back') - overpaid)
}

/** Returns what is left of the order's payments, in cents, and at most its total. */
export function netCents(
  { totalCents }: Pick<PricedOrder, 'totalCents'>,
  balances: readonly BalanceSum[],
): number {
  return Math.min(totalCents, sumOf(balances, 'amount_gross') - sumOf(balances, 'given_back'))
}

/** Returns what the payments that pay the order lack of its total, in cents. Beside refunds, what they and the rest leave of the total. */
export function waivedCents(order: Pick<PricedOrder, 'totalCents'>, balances: readonly BalanceSum[]): number {
  const paying = balances.filter((balance) => balance.pays_order)
  if (paying.length === 0) return 0
  const refunded = refundedCents(order, balances)
  return refunded > 0
    ? order.totalCents - refunded - netCents(order, balances)
    : Math.max(0, order.totalCents - sumOf(paying, 'amount_gross'))
}

function sumOf(balances: readonly BalanceSum[], column: 'amount_gross' | 'given_back'): number {
  return balances.reduce((cents, balance) => cents + centsFromRand(balance[column]), 0)
}
