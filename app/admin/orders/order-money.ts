import { useQuery } from '@tanstack/react-query'
import { queryBackend } from '#app/data/query-backend.ts'
import type { BrowserClient } from '#database'
import { centsFromRand } from '#domain/money.ts'
import { issueText } from '../needs-attention/issue-text.ts'

/** Refunds and open payment issues of an order, from the payment ledger. */
export interface OrderMoney {
  /** Refunds of the payments that paid the order; refunds of duplicate payments do not count. */
  refundedCents: number
  /** The titles of its open issues. */
  issues: string[]
}

export const NO_ORDER_MONEY: OrderMoney = { refundedCents: 0, issues: [] }

/** Refunds and open issues by order id. The map leaves out orders that have neither. Admins only. */
export function useOrderMoney(ids: readonly string[], { isEnabled }: { isEnabled: boolean }) {
  return useQuery({
    queryKey: ['order-money', 'of-list', ids],
    enabled: isEnabled && ids.length > 0,
    queryFn: () => loadOrderMoney(ids),
  })
}

async function loadOrderMoney(ids: readonly string[]): Promise<Map<string, OrderMoney>> {
  const [refunds, issues] = await Promise.all([
    queryBackend((backend) => refundedPayments(backend, ids)),
    queryBackend((backend) =>
      backend
        .from('open_payment_issues')
        .select('order_id, kind, payment_id, amount_gross, detail')
        .in('order_id', ids),
    ),
  ])
  const money = new Map<string, OrderMoney>()
  const of = (id: string) => money.get(id) ?? NO_ORDER_MONEY
  for (const { order_id: id, given_back } of refunds) {
    if (id) money.set(id, { ...of(id), refundedCents: of(id).refundedCents + centsFromRand(given_back) })
  }
  for (const issue of issues) {
    const id = issue.order_id
    if (id) money.set(id, { ...of(id), issues: [...of(id).issues, issueText(issue).title] })
  }
  return money
}

/** Without duplicate payments: refunding one leaves the order paid. */
export function refundedPayments(backend: BrowserClient, orderIds: readonly string[]) {
  return backend
    .from('payment_balances')
    .select('order_id, given_back')
    .in('order_id', orderIds)
    .is('pays_order', true)
    .gt('given_back', 0)
}
