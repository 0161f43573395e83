import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { queryBackend, callBackend } from '#app/session/query-backend.ts'
import type { Tables } from '#database'
import { centsFromRand } from '#domain/money.ts'
import { useChange } from '../list/use-change.ts'

/** Money or a notice that waits for a person. */
export type Concern = Tables<'open_payment_issues'>

export type ConcernFigures = Pick<Concern, 'kind' | 'payment_id' | 'amount_gross' | 'detail'>

/** Whether a payment of this order was too little. A wrong amount can also be too much. */
export function isShort(concern: ConcernFigures): boolean {
  return concern.kind === 'wrong_amount' && concern.payment_id !== null && missingRand(concern) > 0
}

/** Rand that were missing. */
export function missingRand({ amount_gross, detail }: ConcernFigures): number {
  if (typeof detail.order_total !== 'number' || amount_gross === null) return 0
  return (centsFromRand(detail.order_total) - centsFromRand(amount_gross)) / 100
}

/** Asked again while the page is open, because the other brother may be quicker. */
const AGAIN_AFTER_MS = 30_000

/** Oldest first: it has waited longest. */
export function useConcerns() {
  return useQuery({
    queryKey: ['concerns', 'open'],
    refetchInterval: AGAIN_AFTER_MS,
    queryFn: () =>
      queryBackend((backend) =>
        backend.from('open_payment_issues').select('*').order('raised_at').limit(500),
      ),
  })
}

/** The orders that concerns speak of; one that was deleted is not among them. */
export function useOrdersOf(concerns: Concern[]) {
  const ids = [...new Set(concerns.flatMap(({ order_id }) => order_id ?? []))].toSorted((a, b) =>
    a.localeCompare(b),
  )
  return useQuery({
    queryKey: ['orders', 'of-concerns', ids],
    enabled: ids.length > 0,
    queryFn: async () => {
      const orders = await queryBackend((backend) =>
        backend
          .from('orders')
          .select('id, order_number, customer_name, customer_email, total_amount, status, paid_at')
          .in('id', ids),
      )
      return new Map(orders.map((order) => [order.id, order]))
    },
  })
}

export type ConcernedOrder = Pick<
  Tables<'orders'>,
  'id' | 'order_number' | 'customer_name' | 'customer_email' | 'total_amount' | 'status' | 'paid_at'
>

const SHOWN_IN = ['concerns', 'orders']

export function useResolveConcern(concernId: string) {
  return useChange({
    change: (note: string) =>
      callBackend((backend) => backend.rpc('resolve_payment_issue', { issue_id: concernId, note })),
    done: 'Settled',
    refreshes: SHOWN_IN,
  })
}

export function useAcceptPayment() {
  return useChange({
    change: (paymentId: string) =>
      callBackend((backend) => backend.rpc('accept_late_payment', { payment_id: paymentId })),
    done: 'The payment was accepted for its order',
    refreshes: SHOWN_IN,
  })
}

export function useAcceptShortPayment() {
  return useChange({
    change: (paymentId: string) =>
      callBackend((backend) => backend.rpc('accept_short_payment', { payment_id: paymentId })),
    done: 'Payment accepted, the order is paid',
    refreshes: SHOWN_IN,
  })
}

export function useRequestTopUp() {
  return useChange({
    change: (paymentId: string) =>
      callBackend((backend) => backend.rpc('request_top_up', { payment_id: paymentId })),
    done: 'Payment link sent to the customer',
    refreshes: SHOWN_IN,
  })
}

/** The request for the difference of a payment; null when there is none. */
export function useTopUp(paymentId: string) {
  return useQuery({
    queryKey: ['concerns', 'top-up', paymentId],
    queryFn: async () => {
      const found = await queryBackend((backend) =>
        backend.from('payment_top_ups').select('amount, created_at').eq('payment_id', paymentId),
      )
      return found[0] ?? null
    },
  })
}

/** `resolved_by` is null for the shop itself. */
export type Resolution = Pick<
  Tables<'payment_issue_resolutions'>,
  'issue_id' | 'resolved_by' | 'note' | 'resolved_at'
>

/** How concerns that are not open any more were settled. */
export function useResolutions(concernIds: string[]) {
  return useQuery({
    queryKey: ['concerns', 'resolutions', concernIds],
    enabled: concernIds.length > 0,
    queryFn: () =>
      queryBackend((backend) =>
        backend
          .from('payment_issue_resolutions')
          .select('issue_id, resolved_by, note, resolved_at')
          .in('issue_id', concernIds),
      ),
  })
}

/** What was open since the page was opened and is not open any more. */
export function useGone(open: Concern[] | undefined): Concern[] {
  const [seen, setSeen] = useState<Concern[]>([])
  const unseen = (open ?? []).filter(({ id }) => !seen.some((concern) => concern.id === id))
  if (unseen.length > 0) setSeen([...seen, ...unseen])

  return open ? seen.filter(({ id }) => !open.some((concern) => concern.id === id)) : []
}
