import { expect, it } from 'vitest'
import type { Mail } from '../../mail/sent-mails.ts'
import { timelineOf } from './timeline.ts'
import type { OrderEvent } from '../order-queries.ts'

const EMPTY = {
  events: [],
  mails: [],
  notes: [],
  record: { attempts: [], notices: [], balances: [], refunds: [], withdrawals: [] },
}

// covers A10
it('merges an order’s changes, mails, notes and payment attempts, newest first', () => {
  const entries = timelineOf({
    events: [
      event('placed', '08:00', { total_amount: 600 }),
      event('status_changed', '09:30', { from: 'new', to: 'processing' }),
    ],
    mails: [mail({ sent_at: at('08:10') })],
    notes: [{ id: 'n', body: 'Wrap it twice', author_id: 'me', created_at: at('09:00') }],
    record: {
      ...EMPTY.record,
      attempts: [
        { id: 'a', m_payment_id: '00001-x', merchant_id: '1', amount: 600, created_at: at('08:01') },
      ],
    },
  })

  expect(entries.map(({ title }) => title)).toEqual([
    'New → Processing',
    'Internal note',
    'Order 00001: Confirmed',
    'Sent to PayFast',
    'Order placed',
  ])
})

it('lists a sent mail once on the order timeline', () => {
  const entries = timelineOf({
    ...EMPTY,
    events: [event('mail_sent', '08:10', { mail_id: 'm' })],
    mails: [mail({ sent_at: at('08:10') })],
  })

  expect(entries).toHaveLength(1)
})

it('shows the mail server’s message when a mail failed', () => {
  const [entry] = timelineOf({
    ...EMPTY,
    mails: [mail({ status: 'failed', last_error: '550 no such user' })],
  })

  expect(entry?.detail).toContain('550 no such user')
})

it('shows the old and new value of each changed address field', () => {
  const detail = {
    before: { shipping_address: '14 Beach Road', shipping_city: 'Durban', locker_location: null },
    after: { shipping_address: '41 Beach Road', shipping_city: 'Durban', locker_location: 'Spar' },
  }
  const [entry] = timelineOf({ ...EMPTY, events: [event('delivery_changed', '08:00', detail)] })

  expect(entry?.detail).toBe('Street: 14 Beach Road → 41 Beach Road; Locker: none → Spar')
})

it('places a mail at the time it was sent, with the address it was sent to', () => {
  const [latest, earlier] = timelineOf({
    ...EMPTY,
    events: [event('paid', '08:07', {})],
    mails: [mail({ sent_at: at('08:10'), sent_to: 'new@example.com' })],
  })

  expect(latest).toMatchObject({ at: at('08:10'), detail: 'To new@example.com.' })
  expect(earlier?.title).toBe('Paid')
})

it('shows as the actor of a change its staff member, or the shop', () => {
  const change = event('paid', '08:00', {})
  const entries = timelineOf({ ...EMPTY, events: [{ ...change, actor_id: 'me' }, change] })

  expect(entries.map(({ personId, actor }) => [personId, actor])).toEqual([
    ['me', 'The shop'],
    [null, 'The shop'],
  ])
})

it.each([
  ['paid_by_hand', { way: 'cash', amount: 600, reference: 'Expo' }, 'Cash of R600.00 recorded: Expo'],
  ['paid_by_hand', { way: 'eft', amount: 600 }, 'EFT of R600.00 recorded'],
  [
    'paid_by_hand',
    { way: 'eft', amount: 630, reference: 'FNB', received_on: '2026-11-19', surplus: 30 },
    'EFT of R630.00 recorded: FNB, received on 19 Nov 2026, R30.00 more than was due',
  ],
  [
    'missed_payment_recorded',
    { amount: 600, pf_payment_id: '1089250', outcome: 'paid' },
    'Payment of R600.00 recorded from PayFast’s history: 1089250',
  ],
  ['cancelled', { reason: 'expired' }, 'Cancelled: Not paid in time'],
  ['cancelled', { reason: 'Parcel lost' }, 'Cancelled: Parcel lost'],
  ['short_payment_accepted', { amount: 590, shortfall: 10 }, 'Payment of R590.00 accepted: R10.00 short'],
  ['refund_failed', { amount: 50, reason: 'Chipped' }, 'Refund of R50.00 failed: Chipped'],
  ['refund_withdrawn', { amount: 50, reason: 'Chipped' }, 'Refund of R50.00 withdrawn: Chipped'],
  [
    'payment_withdrawn',
    { way: 'eft', amount: 600, reason: 'Was for #42' },
    'EFT of R600.00 withdrawn: Was for #42',
  ],
  ['tracking_changed', { courier: 'Kite', tracking_number: 'K-1' }, 'Tracking: Kite, K-1'],
  ['entered_by_hand', { replaces: 41 }, 'Entered by staff: In place of #00041'],
  ['reinstated', { to: 'processing' }, 'Reinstated: Status: Processing'],
  ['new_kind', {}, 'new kind'],
])('describes the order event %s with %j as "%s"', (kind, detail, text) => {
  const [entry] = timelineOf({ ...EMPTY, events: [event(kind, '08:00', detail)] })

  expect([entry?.title, entry?.detail].filter(Boolean).join(': ')).toBe(text)
})

it('links a replaced order’s timeline to the order that replaced it', () => {
  const [entry] = timelineOf({
    ...EMPTY,
    events: [event('replaced', '08:00', { order_id: 'next', order_number: 43 })],
  })

  expect(entry).toMatchObject({ title: 'Replaced by #00043', to: '/admin/orders/next' })
})

it('lists payments and refunds of an order under Payment, and other changes under Changes', () => {
  const kinds = ['paid', 'refund_failed', 'reinstated', 'payment_withdrawn', 'status_changed'].map(
    (kind) => timelineOf({ ...EMPTY, events: [event(kind, '08:00', {})] })[0]?.kind,
  )

  expect(kinds).toEqual(['payment', 'payment', 'payment', 'payment', 'change'])
})

function at(time: string): string {
  return `2026-11-21T${time}:00Z`
}

function event(kind: string, time: string, detail: Record<string, unknown>): OrderEvent {
  return { id: 1, kind, actor_id: null, detail, created_at: at(time) }
}

function mail(details: Partial<Mail>): Mail {
  return {
    id: 'm',
    template: 'order-confirmation',
    recipient: 'thandi@example.com',
    sent_to: 'thandi@example.com',
    subject: 'Order 00001: Confirmed',
    status: 'sent',
    attempts: 1,
    last_error: null,
    is_marketing: false,
    created_at: at('08:05'),
    sent_at: null,
    ...details,
  }
}
