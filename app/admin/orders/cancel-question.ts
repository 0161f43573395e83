import type { Returns } from '#database'
import { centsFromRand, formatTotal } from '#domain/money.ts'

export type CancellationPreview = Returns<'preview_cancellation'>

/** Tells staff what a cancellation does to orders, stock, customers and money. */
export function cancelQuestion({ orders, mails, to_refund, shipped }: CancellationPreview): string {
  const dueCents = centsFromRand(to_refund)
  return [
    `This cancels ${plural(orders, 'order')} and sends ${plural(mails, 'e-mail')}.`,
    dueCents > 0
      ? `${formatTotal(dueCents)} has to be refunded. It stays on your to-do list until you refund it.`
      : 'No money has to be refunded.',
    stockText(orders, shipped),
  ].join(' ')
}

function stockText(orders: number, shipped: number): string {
  if (shipped === 0) return 'The lures go back in stock and promo codes can be used again.'
  if (shipped === orders) return 'The parcel has left, so nothing goes back in stock.'
  return `The lures go back in stock, except for ${plural(shipped, 'parcel')} that already left.`
}

function plural(count: number, thing: string): string {
  return `${count === 0 ? 'no' : count} ${thing}${count === 1 ? '' : 's'}`
}
