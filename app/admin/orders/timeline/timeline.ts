import { centsFromRand, formatTotal } from '#domain/money.ts'
import { mailName, type Mail } from '../../mail/sent-mails.ts'
import { noticeText } from '../payment/notice-text.ts'
import type { PaymentRecord } from '../payment/payment-record-query.ts'
import { eventText } from './event-text.ts'
import type { InternalNote } from '../../notes/internal-notes.tsx'
import type { OrderEvent } from '../order-queries.ts'

export type TimelineKind = 'change' | 'payment' | 'mail' | 'note'

export interface TimelineEntry {
  key: string
  kind: TimelineKind
  at: string
  personId: string | null
  /** Shown when there is no person, or the name is not loaded. */
  actor: string
  title: string
  /** The page that the title links to. */
  to?: string
  detail?: string
  mail?: Mail
}

interface Sources {
  events: OrderEvent[]
  mails: Mail[]
  notes: InternalNote[]
  record: PaymentRecord
}

const THE_SHOP = 'The shop'

/** Merges all records of an order into entries, newest first. */
export function timelineOf({ events, mails, notes, record }: Sources): TimelineEntry[] {
  return [
    ...events.filter(({ kind }) => !DUPLICATED.has(kind)).map(changeEntry),
    ...mails.map(mailEntry),
    ...notes.map(noteEntry),
    ...paymentEntries(record),
  ].toSorted((a, b) => b.at.localeCompare(a.at) || b.key.localeCompare(a.key))
}

/** Mails and notices have their own, more detailed records. */
const DUPLICATED = new Set(['mail_sent', 'payment_notice'])

function changeEntry({ id, kind, actor_id, detail, created_at }: OrderEvent): TimelineEntry {
  const { title, to, detail: more } = eventText(kind, detail)
  return {
    key: `event-${String(id).padStart(12, '0')}`,
    kind: /paid|payment|refund|reinstated/.test(kind) ? 'payment' : 'change',
    at: created_at,
    personId: actor_id,
    actor: THE_SHOP,
    title,
    ...(to && { to }),
    ...(more && { detail: more }),
  }
}

function mailEntry(mail: Mail): TimelineEntry {
  const errorText = mail.last_error ? ` The mail server said: ${mail.last_error}` : ''
  return {
    key: `mail-${mail.id}`,
    kind: 'mail',
    at: mail.sent_at ?? mail.created_at,
    personId: null,
    actor: THE_SHOP,
    title: mail.subject ?? mailName(mail.template),
    detail: `To ${mail.sent_to ?? mail.recipient ?? 'the shop'}.${errorText}`,
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
    title: 'Internal note',
    detail: body,
  }
}

function paymentEntries({ attempts, notices }: PaymentRecord): TimelineEntry[] {
  const attemptEntries = attempts.map<TimelineEntry>(({ id, amount, created_at }) => ({
    key: `attempt-${id}`,
    kind: 'payment',
    at: created_at,
    personId: null,
    actor: 'The buyer',
    title: 'Sent to PayFast',
    detail: formatTotal(centsFromRand(amount)),
  }))
  const noticeEntries = notices.map<TimelineEntry>(
    ({ id, received_at, payment_notice_outcomes: outcome }) => {
      const { label, effect } = noticeText(outcome?.outcome ?? null)
      return {
        key: `notice-${id}`,
        kind: 'payment',
        at: received_at,
        personId: null,
        actor: 'PayFast',
        title: `Notice: ${label}`,
        detail: effect,
      }
    },
  )
  return [...attemptEntries, ...noticeEntries]
}
