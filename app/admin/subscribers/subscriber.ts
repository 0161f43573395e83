import { callBackend } from '#app/session/query-backend.ts'
import type { Tables } from '#database'
import { useChange } from '../list/use-change.ts'

/** Whether news may be sent: what was last said, and whether the address has left since. */
export type SubscriberConsent = Subscriber['consent']

/** `wording` is what was agreed to or withdrawn. */
export type Subscriber = Tables<'subscribers'>

/** Takes an address off because its owner asked; the ledger of consent says so. */
export function useTakeOff() {
  return useChange({
    change: ({ id }: Subscriber) =>
      callBackend((backend) => backend.rpc('unsubscribe_on_request', { signup_id: id })),
    done: ({ email }) => ({ title: 'Unsubscribed', description: `${email} gets no more news.` }),
    refreshes: ['subscribers', 'profiles'],
  })
}
