import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { askBackend, tellBackend } from '#app/session/ask-backend.ts'
import { centsFromRand } from '#domain/money.ts'
import { useChange } from '../list/use-change.ts'

/** A row of `open_payment_concerns`: money or a notice that waits for a person. */
export interface Concern {
  id: string
  kind: string
  order_id: string | null
  notice_id: string | null
  payment_id: string | null
  pf_payment_id: string | null
  amount_gross: number | null
  refund_id: string | null
  detail: Record<string, unknown>
  raised_at: string
}

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
      askBackend<Concern[]>((backend) =>
        backend.from('open_payment_concerns').select('*').order('raised_at').limit(500),
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
      const orders = await askBackend<ConcernedOrder[]>((backend) =>
        backend
          .from('orders')
          .select('id, order_number, customer_name, customer_email, total_amount, status, paid_at')
          .in('id', ids),
      )
      return new Map(orders.map((order) => [order.id, order]))
    },
  })
}

export interface ConcernedOrder {
  id: string
  order_number: number
  customer_name: string | null
  customer_email: string | null
  total_amount: number
  status: string
  paid_at: string | null
}

const SHOWN_IN = ['concerns', 'orders']

export function useResolveConcern(concernId: string) {
  return useChange({
    change: (note: string) =>
      tellBackend((backend) => backend.rpc('resolve_payment_concern', { concern_id: concernId, note })),
    done: 'Settled',
    refreshes: SHOWN_IN,
  })
}

export function useAcceptPayment() {
  return useChange({
    change: (paymentId: string) =>
      tellBackend((backend) => backend.rpc('accept_late_payment', { payment_id: paymentId })),
    done: 'The payment was accepted for its order',
    refreshes: SHOWN_IN,
  })
}

export function useAcceptShortPayment() {
  return useChange({
    change: (paymentId: string) =>
      tellBackend((backend) => backend.rpc('accept_short_payment', { payment_id: paymentId })),
    done: 'Payment accepted, the order is paid',
    refreshes: SHOWN_IN,
  })
}

export function useRequestTopUp() {
  return useChange({
    change: (paymentId: string) =>
      tellBackend((backend) => backend.rpc('request_top_up', { payment_id: paymentId })),
    done: 'Payment link sent to the customer',
    refreshes: SHOWN_IN,
  })
}

interface TopUp {
  amount: number
  created_at: string
}

/** The request for the difference of a payment; null when there is none. */
export function useTopUp(paymentId: string) {
  return useQuery({
    queryKey: ['concerns', 'top-up', paymentId],
    queryFn: async () => {
      const found = await askBackend<TopUp[]>((backend) =>
        backend.from('payment_top_ups').select('amount, created_at').eq('payment_id', paymentId),
      )
      return found[0] ?? null
    },
  })
}

export interface Resolution {
  concern_id: string
  /** Null is the shop itself. */
  resolved_by: string | null
  note: string
  resolved_at: string
}

/** How concerns that are not open any more were settled. */
export function useResolutions(concernIds: string[]) {
  return useQuery({
    queryKey: ['concerns', 'resolutions', concernIds],
    enabled: concernIds.length > 0,
    queryFn: () =>
      askBackend<Resolution[]>((backend) =>
        backend
          .from('payment_concern_resolutions')
          .select('concern_id, resolved_by, note, resolved_at')
          .in('concern_id', concernIds),
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
