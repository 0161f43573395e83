import { isShort, type ConcernFigures } from './concern.ts'

interface Words {
  title: string
  /** What happened, and what to do about it. */
  advice: string
}

/** Each kind of concern in plain words. */
const WORDS: Record<string, Words> = {
  paid_twice: {
    title: 'Paid twice',
    advice: 'This order was paid already, and a second payment came. Refund this one; stock stays as it is.',
  },
  short_amount: {
    title: 'Paid too little',
    advice:
      'The order stays unpaid. Accept the payment as it is, send the customer a link to pay the rest, or refund it.',
  },
  wrong_amount: {
    title: 'Not the right amount',
    advice:
      'What was paid is not what the order costs, so the order stays unpaid. Refund it and ask the customer to pay again, or write to them.',
  },
  unknown_order: {
    title: 'Money for no order of ours',
    advice:
      'PayFast took money in our name that names no order of this shop. Refund it once you know whose it is.',
  },
  order_deleted: {
    title: 'Money for a deleted order',
    advice: 'The order was deleted before its money came. Refund it.',
  },
  sold_out: {
    title: 'Paid, but the lures are gone',
    advice:
      'The money came after the order had ended, and its lures were sold. Add stock and accept the payment, or refund it.',
  },
  bad_signature: {
    title: 'A notice with a wrong signature',
    advice:
      'Someone sent a forged payment notice, or the passphrase in the settings differs from the one at PayFast. Nothing was marked paid. Compare the passphrase, then settle this.',
  },
  wrong_merchant: {
    title: 'A notice for another account',
    advice:
      'The notice is for another PayFast account. Nothing was marked paid. Compare the merchant number in the settings.',
  },
  denied: {
    title: 'A notice that PayFast did not send',
    advice:
      'It was signed as if by PayFast, and PayFast says it did not send it. Nothing was marked paid. Do not ship on it.',
  },
  unreadable: {
    title: 'A notice that makes no sense',
    advice: 'PayFast confirms it, and its figures cannot be read. Look the payment up at PayFast.',
  },
  unconfirmed: {
    title: 'PayFast does not answer',
    advice:
      'A payment notice waits for PayFast’s confirmation, which is asked for again by itself. If it takes long, look the payment up at PayFast. The order neither expires nor loses its lures meanwhile.',
  },
  missed_notice: {
    title: 'PayFast took money and never told us',
    advice:
      'It stands in PayFast’s history, and no notice of it came. Compare it with the order, then ship or refund.',
  },
  missing_money: {
    title: 'A payment that PayFast does not know',
    advice:
      'We recorded it as paid, and it is not in PayFast’s history of that day. Look it up before you ship.',
  },
  history_differs: {
    title: 'PayFast’s history says another amount',
    advice: 'What we recorded and what PayFast lists differ. Look the payment up at PayFast.',
  },
  refund_failed: {
    title: 'A refund did not go through',
    advice: 'PayFast refused it. Ask again, or pay it back by hand and say so.',
  },
  refund_unknown: {
    title: 'A refund without a clear answer',
    advice: 'PayFast gave no clear answer. Look at its dashboard and say what it shows.',
  },
}

/** The one name of a concern, on its card, its order and its dialogs. */
export function concernWords(concern: ConcernFigures): Words {
  const kind = isShort(concern) ? 'short_amount' : concern.kind
  return (
    WORDS[kind] ?? { title: kind.replaceAll('_', ' '), advice: 'Look at the payment record of the order.' }
  )
}
