import { useQuery } from '@tanstack/react-query'
import { askForAll } from '#app/session/ask-backend.ts'

/** A row of `newsletter_signups`. */
export interface Subscriber {
  id: string
  email: string
  source: string
  created_at: string
  unsubscribed_at: string | null
}

/** Newest first. */
export function useSubscribers() {
  return useQuery({
    queryKey: ['subscribers'],
    queryFn: () =>
      askForAll<Subscriber>((backend, { first, last }) =>
        backend
          .from('newsletter_signups')
          .select('id, email, source, created_at, unsubscribed_at')
          .order('created_at', { ascending: false })
          .order('id')
          .range(first, last),
      ),
  })
}
