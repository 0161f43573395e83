import { queryBackend } from '#app/data/query-backend.ts'
import { useBackendQuery } from '#app/data/use-backend-query.ts'
import { backendError } from '#app/data/backend-error.ts'
import type { Tables } from '#database'
import { useToastMutation } from '#app/data/use-toast-mutation.ts'

export type Message = Tables<'messages'>

export type Reply = Tables<'message_replies'>

/** Oldest first. */
export function useReplies(messageIds: string[]) {
  return useBackendQuery(
    ['messages', 'replies', messageIds],
    (backend) =>
      backend.from('message_replies').select('*').in('submission_id', messageIds).order('created_at'),
    { enabled: messageIds.length > 0 },
  )
}

/** The longest subject that `answer_message` accepts. */
const MAX_SUBJECT_LENGTH = 200

/** Cuts by code points, because half an emoji is no text. */
export function answerSubject(subject: string): string {
  const suggested = `Re: ${subject}`
  return Array.from(suggested).slice(0, MAX_SUBJECT_LENGTH).join('')
}

export function useAnswerMessage(id: string) {
  return useToastMutation({
    mutationFn: (answer: { subject: string; message: string; again: boolean }) =>
      queryBackend((backend) => backend.rpc('answer_message', { submission_id: id, ...answer })),
    success: () => ({ title: 'Email sent successfully', description: 'The message is marked as done.' }),
    isShownByForm: (error) => parseAnsweredError(error) !== null,
    invalidates: ['messages'],
  })
}

/** The name of the staff member who answered first, if that is why the answer failed; `null` for other errors. */
export function parseAnsweredError(error: Error | null): { by: string | null } | null {
  return JSON.parse(backendError(error, 'answered_already')?.hint ?? 'null')
}

export function useMarkMessage(id: string) {
  return useToastMutation({
    mutationFn: (state: Message['state']) =>
      queryBackend((backend) =>
        state === 'done'
          ? backend
              .from('contact_answers')
              .upsert({ submission_id: id }, { onConflict: 'submission_id', ignoreDuplicates: true })
          : backend.from('contact_answers').delete().eq('submission_id', id),
      ),
    success: (state) => ({ title: state === 'done' ? 'Message marked as done' : 'Message reopened' }),
    undoes: () => ({ table: 'contact_answers', id }),
    invalidates: ['messages'],
  })
}
