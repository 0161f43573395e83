import { z } from 'zod'

import { centsFromRand, formatTotal } from '#domain/money.ts'

const cents = z.number().transform(centsFromRand)

/** What `private.money_for_mail` writes: all payments of the order, in cents, and how the money that has not gone back came. */
export const moneySchema = z.object({
  received: cents,
  refunded: cents,
  ways: z.array(z.enum(['payfast', 'eft', 'cash'])),
})

export type MailedMoney = z.infer<typeof moneySchema>

const DESTINATIONS = {
  payfast: 'the card or bank account that you paid with',
  eft: 'your bank account, by EFT',
  cash: 'you, in cash or by EFT',
}

/** What happens to the money of a cancelled order. */
export function cancelledMoneyText({ received, refunded, ways }: MailedMoney): string {
  const due = received - refunded
  if (received === 0) return 'You were not charged.'
  if (due === 0) return `We have already refunded the ${formatTotal(refunded)} that you paid.`
  const [way = 'payfast'] = ways
  const destination = ways.length > 1 ? 'the way you paid' : DESTINATIONS[way]
  return `We refund ${formatTotal(due)} to ${destination}. You get another e-mail when that is done.`
}
