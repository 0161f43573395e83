import type { BadgeTone } from '#app/ui/badge.tsx'

interface NoticeText {
  label: string
  effect: string
  tone: BadgeTone
}

const OUTCOMES: Record<string, NoticeText> = {
  paid: { label: 'Paid', effect: 'It marked this order as paid.', tone: 'success' },
  reinstated: {
    label: 'Paid late',
    effect: 'The order had been cancelled. The payment reinstated it.',
    tone: 'success',
  },
  repeated: {
    label: 'Repeated',
    effect: 'This payment was already recorded. Nothing changed.',
    tone: 'neutral',
  },
  not_a_payment: {
    label: 'No payment',
    effect: 'PayFast took no money. Nothing changed.',
    tone: 'neutral',
  },
  paid_twice: {
    label: 'Paid twice',
    effect: 'This order was already paid. The payment is recorded and needs your decision.',
    tone: 'warning',
  },
  wrong_amount: {
    label: 'Wrong amount',
    effect: 'The amount differs from the order total. The payment is recorded and the order stays unpaid.',
    tone: 'warning',
  },
  unknown_order: {
    label: 'Unknown order',
    effect: 'It matches no order of this shop. The payment is recorded and needs your decision.',
    tone: 'warning',
  },
  order_deleted: {
    label: 'Order deleted',
    effect: 'Its order was deleted. The payment is recorded and needs your decision.',
    tone: 'warning',
  },
  sold_out: {
    label: 'Sold out',
    effect: 'The lures were already sold. The payment is recorded and needs your decision.',
    tone: 'warning',
  },
  bad_signature: { label: 'Wrong signature', effect: 'We rejected it. Nothing changed.', tone: 'danger' },
  wrong_merchant: {
    label: 'Another merchant',
    effect: 'It is for another PayFast account. Nothing changed.',
    tone: 'danger',
  },
  denied: { label: 'Denied', effect: 'PayFast says it did not send this. Nothing changed.', tone: 'danger' },
  unreadable: { label: 'Unreadable', effect: 'Its amounts cannot be read. Nothing changed.', tone: 'danger' },
  unconfirmed: {
    label: 'Never confirmed',
    effect: 'PayFast gave no clear answer for a month. Nothing changed.',
    tone: 'danger',
  },
}

const BEING_CHECKED: NoticeText = {
  label: 'Being checked',
  effect: 'PayFast has not confirmed it yet. The shop keeps asking and marks nothing as paid until then.',
  tone: 'warning',
}

/** A null outcome means that the notice is still being checked. */
export function noticeText(outcome: string | null): NoticeText {
  if (outcome === null) return BEING_CHECKED
  return OUTCOMES[outcome] ?? { label: outcome, effect: '', tone: 'neutral' }
}
