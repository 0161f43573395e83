import { expect, it } from 'vitest'
import { SUBSCRIBERS_FILE, type Subscriber, type SubscriberConsent } from './subscriber-list.ts'

it.each<[SubscriberConsent, boolean]>([
  ['agreed', true],
  ['not_asked', true],
  ['pending', false],
  ['withdrew', false],
  ['unsubscribed', false],
])('puts a subscriber whose consent is %s into the file for mailings: %s', (consent, isIncluded) => {
  const subscriber: Subscriber = {
    id: '00000000-0000-4000-8000-000000000001',
    email: 'thandi@example.com',
    source: 'footer',
    created_at: '2026-11-01T10:00:00Z',
    consent,
    wording: null,
    said_at: null,
    accepted_terms: true,
    confirmation_sent_at: null,
    unsubscribed_at: null,
  }

  expect(SUBSCRIBERS_FILE.includes?.(subscriber)).toBe(isIncluded)
})
