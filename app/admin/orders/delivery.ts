import { queryBackend, callBackend } from '#app/session/query-backend.ts'
import { isBackendError } from '#app/session/backend-error.ts'
import { useChange } from '../list/use-change.ts'
import type { Order } from './order.ts'

/** Where a parcel goes, and to whom. */
export type Delivery = Pick<
  Order,
  | 'customer_name'
  | 'customer_phone'
  | 'shipping_method'
  | 'locker_location'
  | 'shipping_address'
  | 'shipping_city'
  | 'shipping_state'
  | 'shipping_zip'
>

export function deliveryOf(order: Order): Delivery {
  const { customer_name, customer_phone, shipping_method, locker_location } = order
  const { shipping_address, shipping_city, shipping_state, shipping_zip } = order
  return {
    customer_name,
    customer_phone,
    shipping_method,
    locker_location,
    shipping_address,
    shipping_city,
    shipping_state,
    shipping_zip,
  }
}

export function canChangeDelivery({ status }: Pick<Order, 'status'>): boolean {
  return !['shipped', 'delivered', 'cancelled'].includes(status)
}

/** No mail goes out about an address, so a slip is taken back from the toast. */
export function useChangeDelivery(orderId: string) {
  const takeBack = useChange({
    change: ({ before, after }: Correction) => changeDelivery(orderId, { was: after, delivery: before }),
    done: 'Undone',
    refreshes: ['orders'],
  })

  return useChange({
    change: async (change: DeliveryChange) => {
      await changeDelivery(orderId, change)
      return latestCorrection(orderId)
    },
    done: (_change, correction) => ({
      title: 'Address changed',
      action: { label: 'Undo', run: () => takeBack.mutate(correction) },
    }),
    refreshes: ['orders'],
  })
}

interface DeliveryChange {
  was: Delivery
  delivery: Delivery
}

function changeDelivery(orderId: string, change: DeliveryChange): Promise<void> {
  return callBackend((backend) => backend.rpc('change_delivery', { order_id: orderId, ...change }))
}

/** What the timeline keeps of a changed address, as the database wrote it. */
interface Correction {
  before: Delivery
  after: Delivery
}

async function latestCorrection(orderId: string): Promise<Correction> {
  const { detail } = await queryBackend((backend) =>
    backend
      .from('order_events')
      .select('detail')
      .eq('order_id', orderId)
      .eq('kind', 'delivery_changed')
      .order('id', { ascending: false })
      .limit(1)
      .single()
      .overrideTypes<{ detail: Correction }, { merge: false }>(),
  )
  return detail
}

/** What the database found wrong, by field; or what stands there now, when somebody was quicker. */
export function parseDeliveryError(error: Error | null): {
  problems: Record<string, string>
  theirs: Delivery | null
} {
  const refusal = error?.cause
  if (!isBackendError(refusal) || refusal.hint === null) return { problems: {}, theirs: null }
  if (refusal.details === 'delivery_changed') return { problems: {}, theirs: JSON.parse(refusal.hint) }
  if (refusal.details === 'invalid_delivery') return { problems: JSON.parse(refusal.hint), theirs: null }
  return { problems: {}, theirs: null }
}
