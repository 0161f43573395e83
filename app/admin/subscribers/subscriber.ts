import { tellBackend } from '#app/session/ask-backend.ts'
import { useChange } from '../list/use-change.ts'

/** Whether news may be sent: what was last said, and whether the address has left since. */
export type SubscriberConsent = 'agreed' | 'pending' | 'not_asked' | 'withdrew' | 'unsubscribed'

/** A row of `subscribers`. */
export interface Subscriber {
  id: string
  email: string
  source: string
  created_at: string
  unsubscribed_at: string | null
  consent: SubscriberConsent
  /** The words that were agreed to or withdrawn. */
  wording: string | null
  said_at: string | null
}

/** Takes an address off because its owner asked; the ledger of consent says so. */
export function useTakeOff() {
  return useChange({
    change: ({ id }: Subscriber) =>
      tellBackend((backend) => backend.rpc('unsubscribe_on_request', { signup_id: id })),
    done: ({ email }) => ({ title: 'Unsubscribed', description: `${email} gets no more news.` }),
    refreshes: ['subscribers', 'profiles'],
  })
}
