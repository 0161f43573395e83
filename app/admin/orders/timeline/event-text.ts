import { centsFromRand, formatTotal } from '#domain/money.ts'
import { dateText } from '#app/ui/local-date.tsx'
import { orderNumberText, orderStatusLabel } from '#domain/order-status.ts'
import type { OrderEvent } from '../order-queries.ts'

type Detail = OrderEvent['detail']

interface EventText {
  title: string
  /** The page that the title links to. */
  to?: string
  detail?: string
}

/** Falls back to the kind's own name, so that a new kind of event still shows. */
export function eventText(kind: string, detail: Detail): EventText {
  return TEXTS[kind]?.(detail) ?? { title: kind.replaceAll('_', ' ') }
}

const withReason =
  (title: (amount: string) => string) =>
  (detail: Detail): EventText => ({ title: title(rand(detail.amount)), detail: text(detail.reason) })

const TEXTS: Record<string, (detail: Detail) => EventText> = {
  placed: (detail) => ({
    title: 'Order placed',
    detail: joined(rand(detail.total_amount), text(detail.promo_code)),
  }),
  paid: () => ({ title: 'Paid' }),
  entered_by_hand: (detail) => ({
    title: 'Entered by staff',
    detail:
      typeof detail.replaces === 'number' ? `In place of #${orderNumberText(detail.replaces)}` : undefined,
  }),
  replaced: (detail) => ({
    title: `Replaced by #${typeof detail.order_number === 'number' ? orderNumberText(detail.order_number) : ''}`,
    to: `/admin/orders/${text(detail.order_id)}`,
  }),
  paid_by_hand: (detail) => ({
    title: `${wayName(detail)} of ${rand(detail.amount)} recorded`,
    detail: joined(
      text(detail.reference),
      detail.received_on ? `received on ${dateText(text(detail.received_on))}` : '',
      detail.surplus ? `${rand(detail.surplus)} more than was due` : '',
    ),
  }),
  missed_payment_recorded: (detail) => ({
    title: `Payment of ${rand(detail.amount)} recorded from PayFast’s history`,
    detail: text(detail.pf_payment_id),
  }),
  reinstated: (detail) => ({ title: 'Reinstated', detail: `Status: ${orderStatusLabel(text(detail.to))}` }),
  cancelled: (detail) => ({
    title: 'Cancelled',
    detail: REASONS[text(detail.reason)] ?? text(detail.reason),
  }),
  status_changed: (detail) => ({
    title: `${orderStatusLabel(text(detail.from))} → ${orderStatusLabel(text(detail.to))}`,
  }),
  tracking_changed: (detail) => ({
    title: 'Tracking',
    detail: joined(text(detail.courier), text(detail.tracking_number)),
  }),
  delivery_changed: (detail) => ({ title: 'Details changed', detail: changedFields(detail) }),
  refund_due: (detail) => ({ title: `${rand(detail.amount)} to refund` }),
  refund_dismissed: withReason((amount) => `Refund of ${amount} dismissed`),
  short_payment_accepted: (detail) => ({
    title: `Payment of ${rand(detail.amount)} accepted`,
    detail: `${rand(detail.shortfall)} short`,
  }),
  top_up_requested: (detail) => ({ title: `Payment link for the missing ${rand(detail.amount)} sent` }),
  topped_up: (detail) => ({ title: `Missing ${rand(detail.amount)} paid` }),
  refunded: withReason((amount) => `Refunded ${amount}`),
  refund_requested: withReason((amount) => `Refund of ${amount} requested at PayFast`),
  refund_failed: withReason((amount) => `Refund of ${amount} failed`),
  refund_withdrawn: withReason((amount) => `Refund of ${amount} withdrawn`),
  payment_withdrawn: (detail) => ({
    title: `${wayName(detail)} of ${rand(detail.amount)} withdrawn`,
    detail: text(detail.reason),
  }),
  paid_but_sold_out: () => ({ title: 'Paid after the lures sold out' }),
}

const REASONS: Record<string, string> = {
  customer: 'By the customer',
  shop: 'By the shop',
  expired: 'Not paid in time',
  replaced: 'Replaced by another order',
}

const FIELD_NAMES: Record<string, string> = {
  customer_name: 'Name',
  customer_email: 'E-mail',
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

function wayName({ way }: Detail): string {
  return way === 'cash' ? 'Cash' : 'EFT'
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
