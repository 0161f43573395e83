import { useQuery } from '@tanstack/react-query'
import { askForAll, tellBackend } from '#app/session/ask-backend.ts'
import { useChange } from '../list/use-change.ts'

/** A row of `contact_submissions`; it is done when it has an answer's row. */
export interface Message {
  id: string
  name: string
  email: string
  subject: string
  message: string
  created_at: string
  contact_answers: { answered_by: string; answered_at: string } | null
}

/** Newest first. */
export function useMessages() {
  return useQuery({
    queryKey: ['messages'],
    queryFn: () =>
      askForAll<Message>((backend, { first, last }) =>
        backend
          .from('contact_submissions')
          .select('*, contact_answers(answered_by, answered_at)')
          .order('created_at', { ascending: false })
          .order('id')
          .range(first, last),
      ),
  })
}

export function useMarkMessage(id: string) {
  return useChange({
    change: (state: 'done' | 'open') =>
      tellBackend((backend) =>
        state === 'done'
          ? backend
              .from('contact_answers')
              .upsert({ submission_id: id }, { onConflict: 'submission_id', ignoreDuplicates: true })
          : backend.from('contact_answers').delete().eq('submission_id', id),
      ),
    done: (state) => ({ title: state === 'done' ? 'Marked as done' : 'Open again' }),
    refreshes: ['messages'],
    undoes: () => ({ table: 'contact_answers', id }),
  })
}
