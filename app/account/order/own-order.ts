import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { askBackend } from '#app/session/ask-backend.ts'
import { isRefusal } from '#app/session/refusal.ts'

/** An order as `show_order` tells it to its customer. Amounts are rand. */
export interface OwnOrder {
  id: string
  order_number: number
  status: string
  placed_at: string
  paid_at: string | null
  expires_at: string | null
  cancelled_at: string | null
  cancellation_reason: string | null
  subtotal_amount: number
  shipping_cost: number
  discount_amount: number
  total_amount: number
  /** What paying now would cost: the total, or what is missing after a payment that was too little. */
  amount_due: number
  /** What the shop received for it and has not sent back. */
  held_amount: number
  /** What the shop owes since it was cancelled. */
  refund_due: number
  promo_code: string | null
  customer_name: string | null
  customer_email: string | null
  customer_phone: string | null
  shipping_method: string
  locker_location: string | null
  /** The four of the address are `null` where the order is handed over in person. */
  shipping_address: string | null
  shipping_city: string | null
  shipping_state: string | null
  shipping_zip: string | null
  notes: string | null
  tracking_number: string | null
  courier: { name: string; tracking_url: string | null } | null
  items: OwnItem[]
  refunds: { amount: number; created_at: string }[]
  timeline: OrderEvent[]
  /** Whether paying is possible now; a payment that was too little waits for the shop's decision. */
  may_be_paid: boolean
  is_being_confirmed: boolean
}

export interface OwnItem {
  id: string
  product_name: string
  product_variant: string | null
  with_hooks: boolean | null
  price: number
  quantity: number
  /** Refunded and back in stock. */
  returned_quantity: number
  image_url: string | null
}

export interface OrderEvent {
  kind: 'placed' | 'paid' | 'reinstated' | 'cancelled' | 'status_changed' | 'tracking_changed'
  status: string | null
  happened_at: string
}

const CONFIRMING_REFETCH_MS = 5_000

/** `null` when there is no such order, or it is somebody else's: the two look the same. */
export function useOwnOrder(id: string) {
  return useQuery({
    queryKey: ['own-order', id],
    queryFn: () => loadOrder(id),
    refetchInterval: ({ state }) => (state.data?.is_being_confirmed ? CONFIRMING_REFETCH_MS : false),
  })
}

const NO_UUID = '22P02'

async function loadOrder(id: string): Promise<OwnOrder | null> {
  try {
    return await askBackend<OwnOrder>((backend) => backend.rpc('show_order', { order_id: id }))
  } catch (error) {
    const refused = error instanceof Error && isRefusal(error.cause) ? error.cause : null
    if (refused?.details === 'order_not_found' || refused?.code === NO_UUID) return null
    throw error
  }
}

/** Cancels an order that awaits payment, with the money it may hold; answers false when it no longer awaits it. */
export function useCancelOrder(id: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: () => askBackend<boolean>((backend) => backend.rpc('cancel_own_order', { order_id: id })),
    onSettled: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: ['own-order', id] }),
        queries.invalidateQueries({ queryKey: ['own-orders'] }),
      ]),
  })
}
