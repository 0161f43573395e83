import { centsFromRand, formatTotal } from '#domain/money.ts'
import type { StaffOrder } from '#domain/order.ts'
import type { Balance } from './payment-record-query.ts'

/** What an order still costs; `undecided` while it holds money that could be neither added to another payment nor told from it. */
export type AmountDue =
  | { state: 'paid' }
  | { state: 'due'; cents: number; isRest: boolean }
  | { state: 'undecided' }

type HeldMoney = Pick<Balance, 'amount_gross' | 'given_back' | 'refundable' | 'outcome'>

/** As the database decides (`private.due_by_hand`). */
export function amountDue(
  { paidAt, totalCents }: Pick<StaffOrder, 'paidAt' | 'totalCents'>,
  balances: readonly HeldMoney[],
): AmountDue {
  if (paidAt !== null) return { state: 'paid' }
  const [held, ...others] = balances.filter(({ amount_gross, given_back }) => given_back < amount_gross)
  if (!held) return { state: 'due', cents: totalCents, isRest: false }
  const cents = totalCents - centsFromRand(held.amount_gross)
  const isShort = held.outcome === 'wrong_amount' && held.refundable === held.amount_gross && cents > 0
  return others.length === 0 && isShort ? { state: 'due', cents, isRest: true } : { state: 'undecided' }
}

export const UNDECIDED =
  'This order holds a payment that needs your decision first: accept or refund it under Needs attention.'

/** Says in one sentence what recording an amount will do; null for a part that cannot be recorded. */
export function effectText(due: AmountDue, cents: number, { isCancelled }: { isCancelled: boolean }): string {
  if (due.state === 'undecided') return UNDECIDED
  if (due.state === 'paid')
    return `This order is already paid, so ${formatTotal(cents)} is recorded as paid twice and needs a refund.`
  if (cents < due.cents)
    return `${formatTotal(due.cents - cents)} is missing, so the order stays unpaid and the payment needs your decision: accept it as it is, ask for the rest, or refund it.`
  const paid = isCancelled ? 'This reinstates the order, marks it as paid' : 'This marks the order as paid'
  const surplus =
    cents > due.cents
      ? ` The ${formatTotal(cents - due.cents)} beyond it is recorded as paid twice and needs a refund.`
      : ''
  return `${paid} and e-mails the customer the confirmation, unless its lures were sold in the meantime: then the payment needs your decision.${surplus}`
}

/** Returns what is wrong with the amount of a payment, or null. */
export function paymentProblem(due: AmountDue, cents: number | null): string | null {
  if (cents === null || cents < 1) return 'Please enter an amount in rand, for example 120.50'
  if (due.state !== 'due' || !due.isRest || cents >= due.cents) return null
  return `${formatTotal(due.cents - cents)} would still be missing. Record the rest in one amount when all of it has arrived.`
}

/** Returns what is left to do after a payment was recorded; `isPaidNow` is null when that is unknown. */
export function stillToDo(due: AmountDue, cents: number, isPaidNow: boolean | null): string | undefined {
  if (due.state === 'paid') return 'Refund it under Needs attention.'
  if (due.state === 'due' && cents < due.cents)
    return 'The order stays unpaid. Decide about the payment under Needs attention.'
  if (isPaidNow === false)
    return 'The lures are sold out, so the order stays unpaid. Accept or refund the payment under Needs attention.'
  if (due.state === 'due' && cents > due.cents)
    return `${formatTotal(cents - due.cents)} was more than was due. Refund it under Needs attention.`
  return isPaidNow === null
    ? 'If its lures are sold out, the order stays unpaid, and the payment waits under Needs attention.'
    : undefined
}
