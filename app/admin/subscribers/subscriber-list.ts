import { numericDate } from '#app/ui/local-date.tsx'
import type { ListFile } from '../export/export-button.tsx'
import { anyContains, type List, choicesOf } from '../list/list.ts'
import { queryBackend } from '#app/data/query-backend.ts'
import type { Tables } from '#database'
import { useToastMutation } from '#app/data/use-toast-mutation.ts'

export const CONSENTS: Record<SubscriberConsent, string> = {
  agreed: 'Agreed',
  pending: 'Waiting for confirmation',
  not_asked: 'Not asked',
  withdrew: 'Withdrew',
  unsubscribed: 'Unsubscribed',
}

export const SOURCES: Record<string, string> = {
  popup: 'Discount popup',
  footer: 'Footer',
  sign_up: 'Sign-up',
  shop: 'The shop',
}

export const SUBSCRIBERS: List<Subscriber> = {
  name: 'subscribers',
  title: 'Newsletter subscribers',
  noun: { singular: 'subscriber', plural: 'subscribers' },
  idOf: ({ id }) => id,
  nameOf: ({ email }) => email,
  searchPlaceholder: 'E-mail',
  filters: [
    { name: 'consent', label: 'Consent', choices: choicesOf(CONSENTS) },
    { name: 'source', label: 'Source', choices: choicesOf(SOURCES) },
  ],
  sorts: {
    created_at: { label: 'Since', ascending: 'oldest first', descending: 'newest first' },
    email: { label: 'E-mail', ascending: 'A to Z', descending: 'Z to A' },
  },
  defaultSort: '-created_at',
  buildQuery(backend, { search, filters: { consent, source } }) {
    const all = backend.from('subscribers').select('*', { count: 'estimated' })
    const matching = search ? all.or(anyContains(['email'], search)) : all
    const consenting = consent ? matching.filter('consent', 'eq', consent) : matching
    return source ? consenting.filter('source', 'eq', source) : consenting
  },
}

/** Has only people who agreed, because the file is for mailings and consent alone permits one (decision 0025). */
export const SUBSCRIBERS_FILE: ListFile<Subscriber> = {
  name: 'newsletter-subscribers.csv',
  includes: ({ consent }) => consent === 'agreed',
  columns: [
    ['Email', ({ email }) => email],
    ['Source', ({ source }) => SOURCES[source] ?? source],
    ['Since', ({ created_at }) => numericDate(created_at)],
    ['Consent', ({ consent }) => CONSENTS[consent]],
    ['Wording', ({ wording }) => wording],
    ['Consent date', ({ said_at }) => said_at && numericDate(said_at)],
  ],
}

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
