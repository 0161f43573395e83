import type { BrowserClient } from '#database'
import { useEffect, useState } from 'react'
import { loadBackend } from '#app/data/backend.ts'
import { useSession } from '#app/data/session.tsx'
import { readOrder } from '#app/storefront/order/read-order.ts'
import type { OrderView } from '#domain/order.ts'

export type Confirmation =
  | { state: 'loading' }
  /** The address names no order, it is not the visitor's, or it could not be read. */
  | { state: 'unknown' }
  | { state: 'confirming'; order: OrderView; isWaiting: boolean }
  | { state: 'paid'; order: OrderView }
  | { state: 'cancelled'; order: OrderView }

/** Polling intervals. PayFast usually confirms within seconds; after the last interval only the e-mail confirms. */
const POLL_INTERVALS_MS = [1_500, 2_000, 3_000, 5_000, 8_000, 10_000, 15_000, 20_000, 30_000, 30_000]

/** Polls an order until its payment notice arrives. Only the server decides whether the order is paid. */
export function useConfirmation(orderId: string | null): Confirmation {
  const { status } = useSession()
  const [confirmation, setConfirmation] = useState<Confirmation>({ state: 'loading' })

  useEffect(() => {
    if (status === 'loading') return
    const controller = new AbortController()
    const report = (next: Confirmation) => {
      if (!controller.signal.aborted) setConfirmation(next)
    }
    pollOrder({ orderId: status === 'signed-in' ? orderId : null, report, signal: controller.signal }).catch(
      (error: unknown) => {
        console.error('the order was not read', error)
        report({ state: 'unknown' })
      },
    )
    return () => controller.abort()
  }, [status, orderId])

  return confirmation
}

interface PollOptions {
  orderId: string | null
  report: (next: Confirmation) => void
  signal: AbortSignal
}

async function pollOrder({ orderId, report, signal }: PollOptions): Promise<void> {
  if (!orderId) {
    console.error('no order to confirm: the address names none, or the visitor is signed out')
    report({ state: 'unknown' })
    return
  }
  const client = await loadBackend()
  let order = await readOrder(client, orderId)

  for (const pauseMs of [0, ...POLL_INTERVALS_MS]) {
    if (order.status !== 'pending_payment' || signal.aborted) break
    report({ state: 'confirming', order, isWaiting: true })
    await pause(pauseMs, signal)
    order = await updateStatus(client, order)
  }
  if (signal.aborted) return

  if (order.status === 'pending_payment') {
    report({ state: 'confirming', order, isWaiting: false })
  } else if (order.isPaid) {
    report({ state: 'paid', order })
  } else {
    report({ state: 'cancelled', order })
  }
}

/** Makes the server process the payment notice, then reads the order again. On a network error the next poll retries. */
async function updateStatus(client: BrowserClient, order: OrderView): Promise<OrderView> {
  const { error } = await client.functions.invoke('update-order-status', { body: { orderId: order.id } })
  if (error) console.error('the order status was not updated', error)
  try {
    return await readOrder(client, order.id)
  } catch (failure) {
    console.error('the order was not read again', failure)
    return order
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
