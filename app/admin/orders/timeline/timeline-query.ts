import { useQuery } from '@tanstack/react-query'
import { queryBackend } from '#app/data/query-backend.ts'
import type { Tables } from '#database'
import { useToastMutation } from '../../form/use-toast-mutation.ts'

/** `actor_id` is null when the shop acted on its own. */
export type OrderEvent = Pick<Tables<'order_events'>, 'id' | 'kind' | 'actor_id' | 'detail' | 'created_at'>

export function useOrderEvents(orderId: string) {
  return useQuery({
    queryKey: ['orders', 'events', orderId],
    queryFn: () =>
      queryBackend((backend) =>
        backend
          .from('order_events')
          .select('id, kind, actor_id, detail, created_at')
          .eq('order_id', orderId)
          .order('id'),
      ),
  })
}

export function useInternalNotes(orderId: string) {
  return useQuery({
    queryKey: ['orders', 'notes', orderId],
    queryFn: () =>
      queryBackend((backend) =>
        backend
          .from('order_notes')
          .select('id, body, author_id, created_at')
          .eq('order_id', orderId)
          .order('created_at'),
      ),
  })
}

export function useAddNote(orderId: string) {
  return useToastMutation({
    mutationFn: (body: string) =>
      queryBackend((backend) => backend.from('order_notes').insert({ order_id: orderId, body })),
    success: 'Note added',
    invalidates: ['orders'],
  })
}
