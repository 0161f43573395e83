import type { BadgeLook, BadgeTone } from '#app/ui/badge.tsx'

type NoticeText = Pick<BadgeLook, 'label' | 'tone'> & { effect: string }

const OUTCOMES: Record<string, [label: string, tone: BadgeTone, effect: string]> = {
  paid: ['Paid', 'success', 'It marked this order as paid.'],
  reinstated: ['Paid late', 'success', 'The order had been cancelled. The payment reinstated it.'],
  repeated: ['Repeated', 'neutral', 'This payment was already recorded. Nothing changed.'],
  not_a_payment: ['No payment', 'neutral', 'PayFast took no money. Nothing changed.'],
  paid_twice: [
    'Paid twice',
    'warning',
    'This order was already paid. The payment is recorded and needs your decision.',
  ],
  wrong_amount: [
    'Wrong amount',
    'warning',
    'The amount differs from the order total. The payment is recorded and the order stays unpaid.',
  ],
  unknown_order: [
    'Unknown order',
    'warning',
    'It matches no order of this shop. The payment is recorded and needs your decision.',
  ],
  order_deleted: [
    'Order deleted',
    'warning',
    'Its order was deleted. The payment is recorded and needs your decision.',
  ],
  sold_out: [
    'Sold out',
    'warning',
    'The lures were already sold. The payment is recorded and needs your decision.',
  ],
  bad_signature: ['Wrong signature', 'danger', 'We rejected it. Nothing changed.'],
  wrong_merchant: ['Another merchant', 'danger', 'It is for another PayFast account. Nothing changed.'],
  denied: ['Denied', 'danger', 'PayFast says it did not send this. Nothing changed.'],
  unreadable: ['Unreadable', 'danger', 'Its amounts cannot be read. Nothing changed.'],
  unconfirmed: ['Never confirmed', 'danger', 'PayFast gave no clear answer for a month. Nothing changed.'],
}

const BEING_CHECKED: NoticeText = {
  label: 'Being checked',
  effect: 'PayFast has not confirmed it yet. The shop keeps asking and marks nothing as paid until then.',
  tone: 'warning',
}

/** A null outcome means that the notice is still being checked. */
export function noticeText(outcome: string | null): NoticeText {
  if (outcome === null) return BEING_CHECKED
  const [label, tone, effect] = OUTCOMES[outcome] ?? [outcome, 'neutral', '']
  return { label, tone, effect }
}
