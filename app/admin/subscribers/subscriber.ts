import { queryBackend } from '#app/data/query-backend.ts'
import type { Tables } from '#database'
import { useToastMutation } from '#app/data/use-toast-mutation.ts'

/** The latest consent, or `unsubscribed` if the address has unsubscribed since. */
export type SubscriberConsent = Subscriber['consent']

/** `wording` is the consent text that the subscriber saw. */
export type Subscriber = Tables<'subscribers'>

/** Unsubscribes an address at its owner's request and records that in the consent history. */
export function useUnsubscribe() {
  return useToastMutation({
    mutationFn: ({ id }: Subscriber) =>
      queryBackend((backend) => backend.rpc('unsubscribe_on_request', { signup_id: id })),
    success: ({ email }) => ({ title: 'Unsubscribed', description: `${email} will get no more news.` }),
    invalidates: ['subscribers', 'profiles'],
  })
}
