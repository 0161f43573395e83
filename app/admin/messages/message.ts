import { tellBackend } from '#app/session/ask-backend.ts'
import { useChange } from '../list/use-change.ts'

/** A row of `messages`; it is done when somebody has said so. */
export interface Message {
  id: string
  name: string
  email: string
  subject: string
  message: string
  created_at: string
  state: 'open' | 'done'
  answered_by: string | null
  answered_at: string | null
}

export function useMarkMessage(id: string) {
  return useChange({
    change: (state: Message['state']) =>
      tellBackend((backend) =>
        state === 'done'
          ? backend
              .from('contact_answers')
              .upsert({ submission_id: id }, { onConflict: 'submission_id', ignoreDuplicates: true })
          : backend.from('contact_answers').delete().eq('submission_id', id),
      ),
    done: (state) => ({ title: state === 'done' ? 'Marked as done' : 'Open again' }),
    undoes: () => ({ table: 'contact_answers', id }),
    refreshes: ['messages'],
  })
}
