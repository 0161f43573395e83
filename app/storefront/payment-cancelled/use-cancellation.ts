import { type QueryClient, useQuery } from '@tanstack/react-query'
import type { BrowserClient } from '#database'
import { loadBackend } from '#app/data/backend.ts'
import { useSession } from '#app/data/session.tsx'
import { readOrder } from '#app/storefront/order/read-order.ts'
import type { OrderView } from '#domain/order.ts'

export type Cancellation =
  | { state: 'loading' }
  | { state: 'cancelled'; order: OrderView }
  /** The address names no order, it is not the visitor's, or it could not be read. */
  | { state: 'unknown' }
  /** Still awaiting payment: it has received money, so this page may not cancel it, or the request failed. */
  | { state: 'still-open'; order: OrderView }
  /** The payment came through after all. */
  | { state: 'paid'; order: OrderView }
  /** Money has arrived for it, before its cancellation or after. */
  | { state: 'cancelled-with-money'; order: OrderView }

/** Cancels the buyer's order if it is still awaiting payment; repeating it changes nothing. */
export function useCancellation(orderId: string | null, queries: QueryClient): Cancellation {
  const { status } = useSession()
  const ownOrderId = status === 'signed-in' ? orderId : null
  const { data, isError } = useQuery(
    {
      queryKey: ['cancellation', ownOrderId],
      enabled: status !== 'loading',
      retry: false,
      queryFn: async () => {
        if (!ownOrderId)
          throw new Error('no order to cancel: the address names none, or the visitor is signed out')
        return cancelOrder(await loadBackend(), ownOrderId)
      },
    },
    queries,
  )
  return data ?? { state: isError ? 'unknown' : 'loading' }
}

export async function cancelOrder(client: BrowserClient, orderId: string): Promise<Cancellation> {
  await cancel(client, orderId)
  const order = await readOrder(client, orderId)
  if (order.isPaid) return { state: 'paid', order }
  if (order.paidAt !== null) return { state: 'cancelled-with-money', order }
  if (order.status === 'pending_payment') return { state: 'still-open', order }
  return { state: (await hasHadMoney(client, orderId)) ? 'cancelled-with-money' : 'cancelled', order }
}

/** Whether the order holds money or has been refunded: a payment may arrive after its cancellation. */
async function hasHadMoney(client: BrowserClient, orderId: string): Promise<boolean> {
  const { data, error } = await client.rpc('get_order', { order_id: orderId })
  if (error) throw error
  return data.held_amount > 0 || data.refunds.length > 0
}

/** Unpaid orders expire by themselves, so a failure is only logged. */
async function cancel(client: BrowserClient, orderId: string): Promise<void> {
  const { error } = await client
    .from('orders')
    .update({ status: 'cancelled' })
    .eq('id', orderId)
    .eq('status', 'pending_payment')
  if (error) console.error('the order was not cancelled', error)
}
