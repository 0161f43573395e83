import { centsFromRand, formatTotal } from '#domain/money.ts'
import { mailName } from '../mails/mail-names.ts'
import type { Mail } from '../mails/order-mails-query.ts'
import { noticeText } from '../payment/notice-text.ts'
import type { PaymentRecord } from '../payment/payment-record-query.ts'
import { eventText } from './event-text.ts'
import type { InternalNote } from '../../notes/internal-notes.tsx'
import type { OrderEvent } from './timeline-query.ts'

export type TimelineKind = 'change' | 'payment' | 'mail' | 'note'

export interface TimelineEntry {
  key: string
  kind: TimelineKind
  at: string
  /** The id of a person, or `null` for whoever `actor` names. */
  personId: string | null
  actor: string
  what: string
  detail?: string
  /** Opens the mail as sent. */
  mail?: Mail
}

interface Sources {
  events: OrderEvent[]
  mails: Mail[]
  notes: InternalNote[]
  record: PaymentRecord
}

const THE_SHOP = 'The shop by itself'

/** Everything that happened to an order, newest first, whoever keeps the record of it. */
export function timelineOf({ events, mails, notes, record }: Sources): TimelineEntry[] {
  return [
    ...events.filter(({ kind }) => !TOLD_ELSEWHERE.has(kind)).map(changeEntry),
    ...mails.map(mailEntry),
    ...notes.map(noteEntry),
    ...paymentEntries(record),
  ].toSorted((a, b) => b.at.localeCompare(a.at) || b.key.localeCompare(a.key))
}

/** Mails and notices have records of their own, which say more. */
const TOLD_ELSEWHERE = new Set(['mail_sent', 'payment_notice'])

function changeEntry({ id, kind, actor_id, detail, created_at }: OrderEvent): TimelineEntry {
  const { what, more } = eventText(kind, detail)
  return {
    key: `event-${String(id).padStart(12, '0')}`,
    kind: /paid|refund|reinstated/.test(kind) ? 'payment' : 'change',
    at: created_at,
    personId: actor_id,
    actor: THE_SHOP,
    what,
    ...(more && { detail: more }),
  }
}

function mailEntry(mail: Mail): TimelineEntry {
  const said = mail.last_error ? ` The mail server said: ${mail.last_error}` : ''
  return {
    key: `mail-${mail.id}`,
    kind: 'mail',
    at: mail.sent_at ?? mail.created_at,
    personId: null,
    actor: THE_SHOP,
    what: mail.subject ?? mailName(mail.template),
    detail: `To ${mail.sent_to ?? mail.recipient ?? 'the shop'}.${said}`,
    mail,
  }
}

function noteEntry({ id, body, author_id, created_at }: InternalNote): TimelineEntry {
  return {
    key: `note-${id}`,
    kind: 'note',
    at: created_at,
    personId: author_id,
    actor: 'Someone',
    what: 'Internal note',
    detail: body,
  }
}

function paymentEntries({ attempts, notices }: PaymentRecord): TimelineEntry[] {
  const departures = attempts.map<TimelineEntry>(({ id, amount, created_at }) => ({
    key: `attempt-${id}`,
    kind: 'payment',
    at: created_at,
    personId: null,
    actor: 'The buyer',
    what: 'Sent to PayFast',
    detail: formatTotal(centsFromRand(amount)),
  }))
  const answers = notices.map<TimelineEntry>(({ id, received_at, payment_notice_outcomes: decided }) => {
    const { label, effect } = noticeText(decided?.outcome ?? null)
    return {
      key: `notice-${id}`,
      kind: 'payment',
      at: received_at,
      personId: null,
      actor: 'PayFast',
      what: `Notice: ${label}`,
      detail: effect,
    }
  })
  return [...departures, ...answers]
}
