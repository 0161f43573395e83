import { queryBackend } from '#app/data/query-backend.ts'
import { backendError } from '#app/data/backend-error.ts'
import type { Delivery, StaffOrder } from '#domain/order.ts'
import { useToastMutation } from '../form/use-toast-mutation.ts'

export function canChangeDelivery({ status }: Pick<StaffOrder, 'status'>): boolean {
  return !['shipped', 'delivered', 'cancelled'].includes(status)
}

const INVALIDATES = ['orders', 'order-events'] as const

/** Offers Undo in the toast, because no mail has told the customer about the change. */
export function useChangeDelivery(orderId: string, onSaved: () => void) {
  const undo = useToastMutation({
    mutationFn: ({ before, after }: LoggedChange) =>
      changeDelivery(orderId, { was: after, delivery: before }),
    success: 'Undone',
    invalidates: INVALIDATES,
  })

  return useToastMutation({
    mutationFn: async (change: DeliveryChange) => {
      await changeDelivery(orderId, change)
      return loadLatestChange(orderId)
    },
    onSaved,
    success: (_change, logged) => ({
      title: 'Address changed',
      action: { label: 'Undo', run: () => undo.mutate(logged) },
    }),
    invalidates: INVALIDATES,
  })
}

interface DeliveryChange {
  was: Delivery
  delivery: Delivery
}

function changeDelivery(orderId: string, change: DeliveryChange): Promise<void> {
  return queryBackend((backend) => backend.rpc('change_delivery', { order_id: orderId, ...change }))
}

/** The detail of the timeline's event. */
interface LoggedChange {
  before: Delivery
  after: Delivery
}

async function loadLatestChange(orderId: string): Promise<LoggedChange> {
  const { detail } = await queryBackend((backend) =>
    backend
      .from('order_events')
      .select('detail')
      .eq('order_id', orderId)
      .eq('kind', 'delivery_changed')
      .order('id', { ascending: false })
      .limit(1)
      .single()
      .overrideTypes<{ detail: LoggedChange }, { merge: false }>(),
  )
  return detail
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
