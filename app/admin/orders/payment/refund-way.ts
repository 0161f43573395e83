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

/** Says who pays the money back. */
export function wayText(amount: string, { isByHand }: Choice): string {
  return isByHand
    ? `This records a refund of ${amount} and e-mails the customer. Pay it back yourself, at PayFast, by EFT or in cash.`
    : `This asks PayFast to refund ${amount}. The customer gets an e-mail once PayFast has done so.`
}
