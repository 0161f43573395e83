import type { BadgeTone } from '#app/ui/badge.tsx'

interface Words {
  label: string
  /** What it did, or why it did nothing. */
  effect: string
  tone: BadgeTone
}

/** What became of a notice, in plain words. */
const OUTCOMES: Record<string, Words> = {
  paid: { label: 'Paid', effect: 'It made this order paid.', tone: 'success' },
  reinstated: {
    label: 'Paid late',
    effect: 'The order had been cancelled; it made it paid and brought it back.',
    tone: 'success',
  },
  repeated: {
    label: 'Repeated',
    effect: 'The same payment was known already. Nothing changed.',
    tone: 'neutral',
  },
  not_a_payment: {
    label: 'No payment',
    effect: 'PayFast says no money was taken. Nothing changed.',
    tone: 'neutral',
  },
  paid_twice: {
    label: 'Paid twice',
    effect: 'This order was paid already. The money is recorded and waits for a decision.',
    tone: 'warning',
  },
  wrong_amount: {
    label: 'Wrong amount',
    effect: 'The amount is not what the order costs. The money is recorded, the order stays unpaid.',
    tone: 'warning',
  },
  unknown_order: {
    label: 'Unknown order',
    effect: 'It names no order of ours. The money is recorded and waits for a decision.',
    tone: 'warning',
  },
  order_deleted: {
    label: 'Order deleted',
    effect: 'Its order was deleted. The money is recorded and waits for a decision.',
    tone: 'warning',
  },
  sold_out: {
    label: 'Sold out',
    effect: 'The money came when the lures were gone. It is recorded and waits for a decision.',
    tone: 'warning',
  },
  bad_signature: { label: 'Wrong signature', effect: 'It was refused. Nothing changed.', tone: 'danger' },
  wrong_merchant: {
    label: 'Another merchant',
    effect: 'It is for somebody else’s PayFast account. Nothing changed.',
    tone: 'danger',
  },
  denied: { label: 'Denied', effect: 'PayFast says it did not send this. Nothing changed.', tone: 'danger' },
  unreadable: { label: 'Unreadable', effect: 'Its figures make no sense. Nothing changed.', tone: 'danger' },
  unconfirmed: {
    label: 'Never confirmed',
    effect: 'PayFast gave no clear answer for a month. Nothing changed.',
    tone: 'danger',
  },
}

const BEING_CHECKED: Words = {
  label: 'Being checked',
  effect:
    'PayFast has not confirmed it yet. It is asked again by itself; nothing is marked until it answers.',
  tone: 'warning',
}

/** `null`: it is not decided yet. */
export function noticeText(outcome: string | null): Words {
  if (outcome === null) return BEING_CHECKED
  return OUTCOMES[outcome] ?? { label: outcome, effect: '', tone: 'neutral' }
}
