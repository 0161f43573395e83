import { useQuery } from '@tanstack/react-query'
import { askBackend, tellBackend } from '#app/session/ask-backend.ts'
import { useChange } from '../../list/use-change.ts'

/** A row of `order_events`. */
export interface OrderEvent {
  id: number
  kind: string
  /** Null is the shop itself. */
  actor_id: string | null
  detail: Record<string, unknown>
  created_at: string
}

/** A row of `order_notes`: for the brothers only. */
export interface InternalNote {
  id: string
  body: string
  author_id: string
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

type Names = Map<string, string>

/** Who acted, by name. Everybody who ever acted has a profile, unless the account was erased. */
export function useNames(ids: string[]) {
  const wanted = [...new Set(ids)].toSorted((a, b) => a.localeCompare(b))
  return useQuery({
    queryKey: ['profiles', 'names', wanted],
    enabled: wanted.length > 0,
    queryFn: () => loadNames(wanted),
  })
}

async function loadNames(ids: string[]): Promise<Names> {
  const people = await askBackend<{ id: string; full_name: string | null; email: string | null }[]>(
    (backend) => backend.from('profiles').select('id, full_name, email').in('id', ids),
  )
  return new Map(people.map(({ id, full_name, email }) => [id, full_name || email || 'Somebody']))
}
