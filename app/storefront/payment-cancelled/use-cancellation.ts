import type { BrowserClient } from '#database'
import { useEffect, useState } from 'react'
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

/** Cancels the buyer's order if it is still awaiting payment. */
export function useCancellation(orderId: string | null): Cancellation {
  const { status } = useSession()
  const [cancellation, setCancellation] = useState<Cancellation>({ state: 'loading' })

  useEffect(() => {
    if (status === 'loading') return
    const controller = new AbortController()
    void cancelOrder(status === 'signed-in' ? orderId : null).then(
      (result) => controller.signal.aborted || setCancellation(result),
    )
    return () => controller.abort()
  }, [status, orderId])

  return cancellation
}

async function cancelOrder(orderId: string | null): Promise<Cancellation> {
  if (!orderId) {
    console.error('no order to cancel: the address names none, or the visitor is signed out')
    return { state: 'unknown' }
  }
  try {
    const client = await loadBackend()
    await cancel(client, orderId)
    const order = await readOrder(client, orderId)
    if (order.isPaid) return { state: 'paid', order }
    if (order.status === 'pending_payment') return { state: 'still-open', order }
    return { state: 'cancelled', order }
  } catch (error) {
    console.error('the order was not read', error)
    return { state: 'unknown' }
  }
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
