import type { Balance } from './payment-record-query.ts'

interface Choice {
  isByHand: boolean
}

/** Returns the method to request instead of the payment's own, if any. */
export function requestedWay(
  { refund_way }: Pick<Balance, 'refund_way'>,
  { isByHand }: Choice,
): 'by_hand' | undefined {
  return isByHand && refund_way === 'payfast' ? 'by_hand' : undefined
}

const NO_MAIL = 'No e-mail is sent.'

/** Says who pays the money back, and whether a customer gets an e-mail about it. */
export function wayText(amount: string, { isByHand, isMailed }: Choice & { isMailed: boolean }): string {
  if (!isByHand) {
    const mail = isMailed ? 'The customer gets an e-mail once PayFast has done so.' : NO_MAIL
    return `This asks PayFast to refund ${amount}. ${mail}`
  }
  const record = isMailed
    ? `This records a refund of ${amount} and e-mails the customer.`
    : `This records a refund of ${amount}. ${NO_MAIL}`
  return `${record} Pay it back yourself, at PayFast, by EFT or in cash.`
}
