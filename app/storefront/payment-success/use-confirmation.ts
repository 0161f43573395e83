import type { ShopClient } from '#database'
import { useEffect, useState } from 'react'
import { loadBackend } from '#app/session/backend.ts'
import { useSession } from '#app/session/session.tsx'
import { sendOrderMails } from '#app/storefront/order/order-mails.ts'
import { isPaid, readOrder, type CustomerOrder } from '#app/storefront/order/read-order.ts'

export type Confirmation =
  | { state: 'looking' }
  /** No order to be shown: none was named, it is not the visitor's, or it could not be read. */
  | { state: 'unknown' }
  | { state: 'confirming'; order: CustomerOrder; isPatient: boolean }
  | { state: 'paid'; order: CustomerOrder }
  | { state: 'cancelled'; order: CustomerOrder }

/** PayFast usually tells within seconds; after these pauses the page stops asking and leaves it to the mail. */
const PAUSES_MS = [1_500, 2_000, 3_000, 5_000, 8_000, 10_000, 15_000, 20_000, 30_000, 30_000]

/** Follows an order until the payment's notice is in. It reads and asks; it never says that anything is paid. */
export function useConfirmation(orderId: string | null): Confirmation {
  const { status } = useSession()
  const [confirmation, setConfirmation] = useState<Confirmation>({ state: 'looking' })

  useEffect(() => {
    if (status === 'loading') return
    const stopped = new AbortController()
    const say = (now: Confirmation) => {
      if (!stopped.signal.aborted) setConfirmation(now)
    }
    follow({ orderId: status === 'signed-in' ? orderId : null, say, signal: stopped.signal }).catch(
      (error: unknown) => {
        console.error('the order was not read', error)
        say({ state: 'unknown' })
      },
    )
    return () => stopped.abort()
  }, [status, orderId])

  return confirmation
}

interface Following {
  orderId: string | null
  say: (now: Confirmation) => void
  signal: AbortSignal
}

async function follow({ orderId, say, signal }: Following): Promise<void> {
  if (!orderId) {
    console.error('no order to confirm: the address names none, or nobody is signed in')
    say({ state: 'unknown' })
    return
  }
  const client = await loadBackend()
  let order = await readOrder(client, orderId)

  for (const pauseMs of [0, ...PAUSES_MS]) {
    if (order.status !== 'pending_payment' || signal.aborted) break
    say({ state: 'confirming', order, isPatient: true })
    await pause(pauseMs, signal)
    order = await askAbout(client, order)
  }
  if (signal.aborted) return

  if (order.status === 'pending_payment') {
    say({ state: 'confirming', order, isPatient: false })
  } else if (isPaid(order)) {
    say({ state: 'paid', order })
    await sendOrderMails(client, order.id)
  } else {
    say({ state: 'cancelled', order })
  }
}

/** Has the server look for the notice, then reads the order anew. A lost connection is no answer: the next round asks again. */
async function askAbout(client: ShopClient, order: CustomerOrder): Promise<CustomerOrder> {
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
