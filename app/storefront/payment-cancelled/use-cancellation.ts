import type { ShopClient } from '#database'
import { useEffect, useState } from 'react'
import { loadBackend } from '#app/session/backend.ts'
import { useSession } from '#app/session/session.tsx'
import { isPaid, readOrder, type CustomerOrder } from '#app/storefront/order/read-order.ts'

export type Cancellation =
  | { state: 'looking' }
  | { state: 'cancelled'; order: CustomerOrder }
  /** No order is named, it is not the visitor's, or it could not be read. */
  | { state: 'unknown' }
  /** It awaits payment as before: it holds money, so this page may not end it, or the call failed. */
  | { state: 'standing'; order: CustomerOrder }
  /** The payment came through after all, or had before. */
  | { state: 'paid'; order: CustomerOrder }

/** Cancels the order the buyer came back from, when it still awaits payment and is theirs. */
export function useCancellation(orderId: string | null): Cancellation {
  const { status } = useSession()
  const [cancellation, setCancellation] = useState<Cancellation>({ state: 'looking' })

  useEffect(() => {
    if (status === 'loading') return
    const stopped = new AbortController()
    void cancelled(status === 'signed-in' ? orderId : null).then(
      (now) => stopped.signal.aborted || setCancellation(now),
    )
    return () => stopped.abort()
  }, [status, orderId])

  return cancellation
}

async function cancelled(orderId: string | null): Promise<Cancellation> {
  if (!orderId) {
    console.error('no order to cancel: the address names none, or nobody is signed in')
    return { state: 'unknown' }
  }
  try {
    const client = await loadBackend()
    await cancel(client, orderId)
    const order = await readOrder(client, orderId)
    if (isPaid(order)) return { state: 'paid', order }
    if (order.status === 'pending_payment') return { state: 'standing', order }
    return { state: 'cancelled', order }
  } catch (error) {
    console.error('the order was not read', error)
    return { state: 'unknown' }
  }
}

/** An order that is left unpaid lapses by itself, so a failure is only logged. */
async function cancel(client: ShopClient, orderId: string): Promise<void> {
  const { error } = await client
    .from('orders')
    .update({ status: 'cancelled' })
    .eq('id', orderId)
    .eq('status', 'pending_payment')
  if (error) console.error('the order was not cancelled', error)
}
