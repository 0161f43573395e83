import { type QueryClient, useQuery } from '@tanstack/react-query'
import type { BrowserClient } from '#database'
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

interface Poll {
  order: OrderView
  /** How often the server was asked to process the payment notice. */
  count: number
}

/** Pauses before each poll. PayFast usually confirms within seconds; after the last one only the e-mail confirms. */
const PAUSES_MS = [1, 1_500, 2_000, 3_000, 5_000, 8_000, 10_000, 15_000, 20_000, 30_000, 30_000]

/** Polls an order until its payment notice arrives. Only the server decides whether the order is paid. */
export function useConfirmation(
  orderId: string | null,
  queries: QueryClient,
): { confirmation: Confirmation; checkAgain: () => void } {
  const { status } = useSession()
  const ownOrderId = status === 'signed-in' ? orderId : null
  const queryKey = ['confirmation', ownOrderId] as const
  const { data: poll, isError } = useQuery(
    {
      queryKey,
      enabled: status !== 'loading',
      retry: false,
      queryFn: () => pollOrder(ownOrderId, queries.getQueryData<Poll>(queryKey)),
      refetchInterval: ({ state }) => pauseAfter(state.data) ?? false,
      refetchIntervalInBackground: true,
    },
    queries,
  )
  return {
    confirmation: poll ? confirmationOf(poll) : { state: isError ? 'unknown' : 'loading' },
    // Keeps the order: a reset would show "Thank you" without it when the next request fails.
    checkAgain: () => queries.setQueryData<Poll>(queryKey, (known) => known && { ...known, count: 0 }),
  }
}

/** Only the server decides whether the order is paid. */
export function confirmationOf(poll: Poll): Confirmation {
  const { order } = poll
  if (order.status === 'pending_payment')
    return { state: 'confirming', order, isWaiting: pauseAfter(poll) !== undefined }
  return { state: order.isPaid ? 'paid' : 'cancelled', order }
}

function pauseAfter(poll: Poll | undefined): number | undefined {
  return poll?.order.status === 'pending_payment' ? PAUSES_MS[poll.count] : undefined
}

/** Reads the order; from the second time on, after the server has processed the payment notice. Throws without an order to read. */
async function pollOrder(orderId: string | null, last: Poll | undefined): Promise<Poll> {
  if (!orderId) throw new Error('no order to confirm: the address names none, or the visitor is signed out')
  const client = await loadBackend()
  if (!last) return { order: await readOrder(client, orderId), count: 0 }
  return { order: await updateStatus(client, last.order), count: last.count + 1 }
}

/** On a network error the next poll retries. */
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
