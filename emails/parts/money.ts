import { z } from 'zod'

import { centsFromRand, formatTotal } from '#domain/money.ts'

const cents = z.number().transform(centsFromRand)

/** Parses the output of `private.money_for_mail`: all payments and refunds of the order, in cents, and the ways of the unrefunded payments. */
export const moneySchema = z.object({
  received: cents,
  refunded: cents,
  ways: z.array(z.enum(['payfast', 'eft', 'cash'])),
})

export type MailedMoney = z.infer<typeof moneySchema>

const DESTINATIONS = {
  payfast: 'to the card or bank account that you paid with',
  eft: 'to your bank account, by EFT',
  cash: 'to you, in cash or by EFT',
}

/** Tells the customer of a cancelled order how the money comes back. Only orders that were paid, or cost nothing, get this text. */
export function cancelledMoneyText({ received, refunded, ways }: MailedMoney): string {
  const due = received - refunded
  if (received === 0) return 'There was nothing to pay, so there is nothing to refund.'
  if (due === 0) return `We have already refunded the ${formatTotal(refunded)} that you paid.`
  const [way = 'payfast'] = ways
  const destination = ways.length > 1 ? 'the same way you paid' : DESTINATIONS[way]
  return `We’ll refund ${formatTotal(due)} ${destination}. We’ll e-mail you when that is done.`
}
