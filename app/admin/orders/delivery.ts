import type { Args } from '#database'
import { queryBackend } from '#app/data/query-backend.ts'
import { backendError } from '#app/data/backend-error.ts'
import type { Delivery, StaffOrder } from '#domain/order.ts'
import { useToastMutation } from '#app/data/use-toast-mutation.ts'

export function canChangeDelivery({ status }: Pick<StaffOrder, 'status'>): boolean {
  return !['shipped', 'delivered', 'cancelled'].includes(status)
}

/** Of an order that has left, only the e-mail address can be changed, by an admin. */
export function canChangeOnlyEmail({ status }: Pick<StaffOrder, 'status'>): boolean {
  return ['shipped', 'delivered'].includes(status)
}

const INVALIDATES = ['orders', 'order-events'] as const

/** Offers Undo in the toast, because no mail has told the customer about the change. */
export function useChangeDelivery(orderId: string) {
  const undo = useToastMutation({
    mutationFn: (reverse: DeliveryChange) => changeDelivery(orderId, reverse),
    success: 'Undone',
    invalidates: INVALIDATES,
  })

  return useToastMutation({
    mutationFn: (change: DeliveryChange) => saveDelivery(orderId, change),
    success: (_change, reverse) => ({
      title: 'Details changed',
      ...(reverse && { action: { label: 'Undo', run: () => undo.mutate(reverse) } }),
    }),
    invalidates: INVALIDATES,
  })
}

type DeliveryChange = Pick<Args<'change_delivery'>, 'was' | 'delivery'>

/** Returns the change that undoes this one; null when nothing changed, when a colleague changed it again, or when it did not load. */
export async function saveDelivery(orderId: string, change: DeliveryChange): Promise<DeliveryChange | null> {
  await changeDelivery(orderId, change)
  return loadReverse(orderId, change).catch((error: unknown) => {
    // The address is saved. As a failure, it would be saved again and refused as changed meanwhile.
    console.error('the change of the address cannot be undone', error)
    return null
  })
}

function changeDelivery(orderId: string, change: DeliveryChange): Promise<void> {
  return queryBackend((backend) => backend.rpc('change_delivery', { order_id: orderId, ...change }))
}

/** Returns the latest event of the timeline in reverse, if that is the event of this change. */
async function loadReverse(orderId: string, change: DeliveryChange): Promise<DeliveryChange | null> {
  const { was, delivery } = await queryBackend((backend) =>
    backend
      .from('order_events')
      .select('was:detail->after, delivery:detail->before')
      .eq('order_id', orderId)
      .eq('kind', 'delivery_changed')
      .order('id', { ascending: false })
      .limit(1)
      .single(),
  )
  if (!(was instanceof Object && delivery instanceof Object)) return null
  const before = new Map(Object.entries(delivery))
  const isThis = Object.entries(change.was ?? {}).every(([column, value]) => before.get(column) === value)
  return isThis ? { was, delivery } : null
}

/** Returns the invalid fields, or the delivery that another staff member saved first. */
export function parseDeliveryError(error: Error | null): {
  problems: Record<string, string>
  theirs: Delivery | null
} {
  return {
    problems: JSON.parse(backendError(error, 'invalid_delivery')?.hint ?? '{}'),
    theirs: JSON.parse(backendError(error, 'delivery_changed')?.hint ?? 'null'),
  }
}
