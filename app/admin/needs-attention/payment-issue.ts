import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { queryBackend } from '#app/data/query-backend.ts'
import { useBackendQuery } from '#app/data/use-backend-query.ts'
import type { Tables } from '#database'
import { centsFromRand } from '#domain/money.ts'
import { orderView } from '#domain/order.ts'

/** A payment, notice or refund that an admin has to decide about. */
export type PaymentIssue = Tables<'open_payment_issues'>

export type IssueAmounts = Pick<PaymentIssue, 'kind' | 'order_id' | 'payment_id' | 'amount_gross' | 'detail'>

/** Whether the payment is smaller than the order total. A wrong amount can also be larger. */
export function isShort(issue: IssueAmounts): boolean {
  return issue.kind === 'wrong_amount' && issue.payment_id !== null && missingRand(issue) > 0
}

/** Whether the payment is what exceeded the amount due of money that an admin recorded. */
export function isSurplus({ kind, detail }: IssueAmounts): boolean {
  return kind === 'paid_twice' && typeof detail.received === 'number'
}

export function missingRand({ amount_gross, detail }: IssueAmounts): number {
  if (typeof detail.order_total !== 'number' || amount_gross === null) return 0
  return (centsFromRand(detail.order_total) - centsFromRand(amount_gross)) / 100
}

/** Another admin may resolve an issue while the page is open. */
const REFETCH_MS = 30_000

/** Oldest first. */
export function useOpenIssues() {
  return useBackendQuery(
    ['payment-issues', 'open'],
    (backend) => backend.from('open_payment_issues').select('*').order('raised_at').limit(500),
    { refetchInterval: REFETCH_MS },
  )
}

/** The issues' orders by id, without deleted ones. */
export function useOrdersOf(issues: PaymentIssue[]) {
  const ids = [...new Set(issues.flatMap(({ order_id }) => order_id ?? []))].toSorted((a, b) =>
    a.localeCompare(b),
  )
  return useQuery({
    queryKey: ['orders', 'of-payment-issues', ids],
    enabled: ids.length > 0,
    queryFn: async () => {
      const orders = await queryBackend((backend) => backend.from('orders').select('*').in('id', ids))
      return new Map(orders.map((order) => [order.id, orderView(order)]))
    },
    // A new issue must not take the orders from the others while its own is loading.
    placeholderData: keepPreviousData,
  })
}

/** Whether PayFast's history lists a payment of an order of ours that was not recorded, because its notice never arrived. */
export function isMissedPayment({ kind, order_id, payment_id }: IssueAmounts): boolean {
  return kind === 'missed_notice' && order_id !== null && payment_id === null
}

/** What a decision about an issue makes out of date. */
export const REFRESHES = ['payment-issues', 'orders', 'order-money'] as const

/** The top-up that the customer was asked for; null when there is none. */
export function useTopUp(paymentId: string) {
  return useQuery({
    queryKey: ['payment-issues', 'top-up', paymentId],
    queryFn: async () => {
      const topUps = await queryBackend((backend) =>
        backend.from('payment_top_ups').select('amount, created_at').eq('payment_id', paymentId),
      )
      return topUps[0] ?? null
    },
  })
}

export function useResolutions(issueIds: string[]) {
  return useBackendQuery(
    ['payment-issues', 'resolutions', issueIds],
    (backend) =>
      backend
        .from('payment_issue_resolutions')
        .select('issue_id, resolved_by, note, resolved_at')
        .in('issue_id', issueIds),
    { enabled: issueIds.length > 0 },
  )
}

/** The issues that were open earlier while this page was mounted, and are now closed. */
export function useClosedIssues(open: PaymentIssue[] | undefined): PaymentIssue[] {
  const [seen, setSeen] = useState<PaymentIssue[]>([])
  const unseen = (open ?? []).filter(({ id }) => !seen.some((issue) => issue.id === id))
  if (unseen.length > 0) setSeen([...seen, ...unseen])

  return open ? seen.filter(({ id }) => !open.some((issue) => issue.id === id)) : []
}
