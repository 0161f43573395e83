import { isShort, type IssueAmounts } from './payment-issue.ts'

interface IssueText {
  title: string
  /** What happened, and how to resolve it. */
  advice: string
}

const TEXTS: Record<string, IssueText> = {
  paid_twice: {
    title: 'Paid twice',
    advice:
      'This order was already paid when a second payment arrived. Refund this one; stock does not change.',
  },
  short_amount: {
    title: 'Paid too little',
    advice:
      'The order stays unpaid. Accept the payment as it is, send the customer a link to pay the rest, or refund it.',
  },
  wrong_amount: {
    title: 'Wrong amount',
    advice:
      'The payment differs from the order total, so the order stays unpaid. Refund it and ask the customer to pay again, or write to them.',
  },
  unknown_order: {
    title: 'Payment without an order',
    advice:
      'PayFast took a payment for us that matches no order of this shop. Refund it once you know whose it is.',
  },
  order_deleted: {
    title: 'Payment for a deleted order',
    advice: 'The order was deleted before its payment arrived. Refund it.',
  },
  sold_out: {
    title: 'Paid, but sold out',
    advice:
      'The payment arrived after the order was cancelled, and its lures are sold. Add stock and accept the payment, or refund it.',
  },
  bad_signature: {
    title: 'Payment notice with a wrong signature',
    advice:
      'Someone sent a forged payment notice, or the passphrase in the settings differs from the one at PayFast. Nothing was marked as paid. Compare the passphrases, then resolve this.',
  },
  wrong_merchant: {
    title: 'Payment notice for another account',
    advice:
      'The notice is for another PayFast account. Nothing was marked as paid. Compare the merchant number in the settings.',
  },
  denied: {
    title: 'Payment notice denied by PayFast',
    advice:
      'The signature is valid, but PayFast says it did not send this notice. Nothing was marked as paid. Do not ship the order because of it.',
  },
  unreadable: {
    title: 'Unreadable payment notice',
    advice: 'PayFast confirms the notice, but its amounts cannot be read. Look up the payment at PayFast.',
  },
  unconfirmed: {
    title: 'Payment notice not confirmed',
    advice:
      'PayFast has not confirmed this payment notice yet, and the shop keeps asking. If it takes long, look up the payment at PayFast. Until then the order does not expire and its lures stay reserved.',
  },
  missed_notice: {
    title: 'Payment notice missing',
    advice:
      'PayFast’s history lists this payment, but its notice never arrived. Compare it with the order, then ship or refund.',
  },
  missing_money: {
    title: 'Payment missing at PayFast',
    advice:
      'We recorded this payment, but PayFast’s history of that day does not list it. Look it up before you ship.',
  },
  history_differs: {
    title: 'PayFast’s history shows another amount',
    advice: 'The amount we recorded differs from the one that PayFast lists. Look up the payment at PayFast.',
  },
  refund_failed: {
    title: 'Refund failed',
    advice: 'PayFast refused the refund. Retry it, or pay it back by hand and record the outcome.',
  },
  refund_unknown: {
    title: 'Refund not confirmed',
    advice: 'PayFast gave no clear answer. Check its dashboard and record the outcome.',
  },
}

export function issueText(issue: IssueAmounts): IssueText {
  const kind = isShort(issue) ? 'short_amount' : issue.kind
  return TEXTS[kind] ?? { title: kind.replaceAll('_', ' '), advice: 'See the payment record of the order.' }
}
