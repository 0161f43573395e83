import { centsFromRand, formatTotal } from '#domain/money.ts'
import { orderNumberText, orderStatusLabel } from '#domain/order-status.ts'
import type { OrderEvent } from './timeline-query.ts'

type Detail = OrderEvent['detail']

interface Words {
  what: string
  more?: string
}

/** What a row of the timeline says; a kind that is not known here reads as it is called. */
export function eventText(kind: string, detail: Detail): Words {
  return WORDS[kind]?.(detail) ?? { what: kind.replaceAll('_', ' ') }
}

const WORDS: Record<string, (detail: Detail) => Words> = {
  placed: (detail) => ({
    what: 'Order placed',
    more: joined(rand(detail.total_amount), text(detail.promo_code)),
  }),
  paid: () => ({ what: 'Paid' }),
  entered_by_hand: (detail) => ({
    what: 'Entered by staff',
    more:
      typeof detail.replaces === 'number' ? `In place of #${orderNumberText(detail.replaces)}` : undefined,
  }),
  paid_by_hand: (detail) => ({
    what: `${detail.way === 'cash' ? 'Cash' : 'EFT'} of ${rand(detail.amount)} recorded`,
    more: text(detail.reference),
  }),
  reinstated: (detail) => ({ what: 'Reinstated', more: `Status: ${orderStatusLabel(text(detail.to))}` }),
  cancelled: (detail) => ({
    what: 'Cancelled',
    more: REASONS[text(detail.reason)] ?? text(detail.reason),
  }),
  status_changed: (detail) => ({
    what: `${orderStatusLabel(text(detail.from))} → ${orderStatusLabel(text(detail.to))}`,
  }),
  tracking_changed: (detail) => ({
    what: 'Tracking',
    more: joined(text(detail.courier), text(detail.tracking_number)),
  }),
  delivery_changed: (detail) => ({ what: 'Address changed', more: changedFields(detail) }),
  refund_due: (detail) => ({ what: `${rand(detail.amount)} to refund` }),
  refund_dismissed: (detail) => ({
    what: `Refund of ${rand(detail.amount)} dismissed`,
    more: text(detail.reason),
  }),
  short_payment_accepted: (detail) => ({
    what: `Payment of ${rand(detail.amount)} accepted`,
    more: `${rand(detail.shortfall)} short`,
  }),
  top_up_requested: (detail) => ({ what: `Customer asked for the missing ${rand(detail.amount)}` }),
  topped_up: (detail) => ({ what: `Missing ${rand(detail.amount)} paid` }),
  refunded: (detail) => ({ what: `Refunded ${rand(detail.amount)}`, more: text(detail.reason) }),
  refund_requested: (detail) => ({
    what: `Refund of ${rand(detail.amount)} requested at PayFast`,
    more: text(detail.reason),
  }),
  refund_failed: (detail) => ({
    what: `Refund of ${rand(detail.amount)} failed`,
    more: text(detail.reason),
  }),
  refund_withdrawn: (detail) => ({
    what: `Refund of ${rand(detail.amount)} withdrawn`,
    more: text(detail.reason),
  }),
  paid_but_sold_out: () => ({ what: 'Money came when the lures were gone' }),
}

const REASONS: Record<string, string> = {
  customer: 'By the customer',
  shop: 'By the shop',
  expired: 'It was not paid in time',
  replaced: 'Another order took its place',
}

const FIELD_NAMES: Record<string, string> = {
  customer_name: 'Name',
  customer_phone: 'Phone',
  shipping_method: 'Delivery',
  locker_location: 'Locker',
  shipping_address: 'Street',
  shipping_city: 'City',
  shipping_state: 'Province',
  shipping_zip: 'Postal code',
}

/** `Street: 14 Beach Road → 41 Beach Road` */
function changedFields({ before, after }: Detail): string {
  const old = fieldsOf(before)
  return Object.entries(fieldsOf(after))
    .filter(([name, value]) => old[name] !== value)
    .map(
      ([name, value]) =>
        `${FIELD_NAMES[name] ?? name}: ${text(old[name]) || 'none'} → ${text(value) || 'none'}`,
    )
    .join('; ')
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function rand(value: unknown): string {
  return typeof value === 'number' ? formatTotal(centsFromRand(value)) : ''
}

function joined(...parts: string[]): string {
  return parts.filter(Boolean).join(', ')
}
