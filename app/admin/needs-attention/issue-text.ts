import { isMissedPayment, isShort, isSurplus, type IssueAmounts } from './payment-issue.ts'

/** What happened, and how to resolve it. */
const TEXTS: Record<string, [title: string, advice: string]> = {
  paid_twice: [
    'Paid twice',
    'This order was already paid when a second payment arrived. Refund this one; stock does not change. If you had recorded this same money as EFT or cash, withdraw that payment on the order instead: this one then pays for it. If you refunded the other one from the order, resolve this with a note.',
  ],
  short_amount: [
    'Paid too little',
    'The order stays unpaid. Accept the payment as it is, send the customer a link to pay the rest, or refund it.',
  ],
  surplus_amount: [
    'Paid too much',
    'The customer paid more than the order costs. The rest is a payment of its own: refund it. Stock does not change.',
  ],
  wrong_amount: [
    'Wrong amount',
    'The payment differs from the order total, so the order stays unpaid. Refund it and ask the customer to pay again, or write to them.',
  ],
  unknown_order: [
    'Payment without an order',
    'PayFast took a payment for us that matches no order of this shop. Refund it once you know whose it is.',
  ],
  order_deleted: [
    'Payment for a deleted order',
    'The order was deleted before its payment arrived. Refund it.',
  ],
  sold_out: [
    'Paid, but sold out',
    'The lures of this order were sold out when its payment arrived. Add stock and accept the payment, or refund it.',
  ],
  bad_signature: [
    'Payment notice with a wrong signature',
    'Someone sent a forged payment notice, or the passphrase in the settings differs from the one at PayFast. Nothing was marked as paid. Compare the passphrases, then resolve this.',
  ],
  wrong_merchant: [
    'Payment notice for another account',
    'The notice is for another PayFast account. Nothing was marked as paid. Compare the merchant number in the settings.',
  ],
  denied: [
    'Payment notice denied by PayFast',
    'The signature is valid, but PayFast says it did not send this notice. Nothing was marked as paid. Do not ship the order because of it.',
  ],
  unreadable: [
    'Unreadable payment notice',
    'PayFast confirms the notice, but its amounts cannot be read. Look up the payment at PayFast.',
  ],
  unconfirmed: [
    'Payment notice not confirmed',
    'PayFast has not confirmed this payment notice yet, and the shop keeps asking. If it takes long, look up the payment at PayFast. Until then the order does not expire and its lures stay reserved.',
  ],
  missed_payment: [
    'Payment notice missing',
    'PayFast’s history lists this payment, but its notice never arrived. Record it here, not as EFT or cash: then it pays its order, and if the notice arrives later, nothing is counted twice. Until then the order does not expire and can’t be paid again.',
  ],
  missed_notice: [
    'Payment notice missing',
    'PayFast’s history lists this payment, but it belongs to no order of this shop. Look it up at PayFast, then resolve this with a note.',
  ],
  missing_money: [
    'Payment missing at PayFast',
    'We recorded this payment, but PayFast’s history of that day does not list it. Look it up before you ship.',
  ],
  history_differs: [
    'PayFast’s history shows another amount',
    'The amount we recorded differs from the one that PayFast lists. Look up the payment at PayFast.',
  ],
  refund_failed: [
    'Refund failed',
    'PayFast refused the refund. Retry it, or pay it back by hand and record its outcome: a new refund would count twice.',
  ],
  refund_unknown: [
    'Refund not confirmed',
    'PayFast gave no clear answer. Check its dashboard and record the outcome.',
  ],
}

export function issueText(issue: IssueAmounts) {
  const kind = kindOf(issue)
  const unknown = [kind.replaceAll('_', ' '), 'See the payment record of the order.'] as const
  const [title, advice] = TEXTS[kind] ?? unknown
  return { title, advice }
}

function kindOf(issue: IssueAmounts): string {
  if (isShort(issue)) return 'short_amount'
  if (isSurplus(issue)) return 'surplus_amount'
  return isMissedPayment(issue) ? 'missed_payment' : issue.kind
}
