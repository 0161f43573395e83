import { centsFromRand, formatTotal } from '#domain/money.ts'
import { dateText, shortDateTimeText } from '#app/ui/local-date.tsx'
import type { Balance } from './payment-record-query.ts'

const WAYS = { payfast: 'PayFast payment', eft: 'EFT', cash: 'Cash' }

/** `PayFast payment 1089250 of 22 Nov, 14:05`: tells the payments of an order apart. */
export function balanceName({ way, pf_payment_id, reference, received_at, received_on }: Balance): string {
  const time = received_on === null ? shortDateTimeText(received_at) : dateText(received_at)
  return [WAYS[way], pf_payment_id ?? reference, 'of', time].filter(Boolean).join(' ')
}

export function balanceText({ amount_gross, given_back, on_its_way }: Balance): string {
  const parts = [`${formatTotal(centsFromRand(amount_gross))} received`]
  if (given_back > 0) parts.push(`${formatTotal(centsFromRand(given_back))} refunded`)
  if (on_its_way > 0) parts.push(`refund of ${formatTotal(centsFromRand(on_its_way))} pending`)
  if (parts.length === 1) parts.push('nothing refunded')
  return `${parts.join(', ')}.`
}
