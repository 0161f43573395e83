import { useQuery } from '@tanstack/react-query'
import { askBackend, tellBackend } from '#app/session/ask-backend.ts'
import { useChange } from '../../list/use-change.ts'
import type { InternalNote } from '../../notes/internal-notes.tsx'

/** A row of `order_events`. */
export interface OrderEvent {
  id: number
  kind: string
  /** Null is the shop itself. */
  actor_id: string | null
  detail: Record<string, unknown>
  created_at: string
}

export function useOrderEvents(orderId: string) {
  return useQuery({
    queryKey: ['orders', 'events', orderId],
    queryFn: () =>
      askBackend<OrderEvent[]>((backend) =>
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
      askBackend<InternalNote[]>((backend) =>
        backend
          .from('order_notes')
          .select('id, body, author_id, created_at')
          .eq('order_id', orderId)
          .order('created_at'),
      ),
  })
}

export function useAddNote(orderId: string) {
  return useChange({
    change: (body: string) =>
      tellBackend((backend) => backend.from('order_notes').insert({ order_id: orderId, body })),
    done: 'Note added',
    refreshes: ['orders'],
  })
}
