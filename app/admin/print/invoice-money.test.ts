import { expect, it } from 'vitest'
import { moneyLines, type InvoicePayment, type InvoiceRefund } from './invoice-money.ts'

const PAID: Parameters<typeof moneyLines>[0] = {
  totalCents: 520_00,
  discountCents: 0,
  promoCode: null,
  paidAt: '2026-11-21T08:00:00Z',
  status: 'delivered',
}
const UNPAID: typeof PAID = { ...PAID, paidAt: null, status: 'pending_payment' }

// covers A17
it('labels each payment on an invoice with the payment method', () => {
  expect(lines(PAID, [payment('eft', 520)])).toEqual(['Paid by EFT, 21 Nov 2026 -520', 'To pay 0'])
  expect(lines(PAID, [payment('cash', 520)])[0]).toBe('Paid in cash, 21 Nov 2026 -520')
  expect(lines(PAID, [payment('payfast', 520)])[0]).toBe('Paid by PayFast, 21 Nov 2026 -520')
})

it('dates a payment on an invoice by the day on which it arrived, not on which it was recorded', () => {
  const late = { ...payment('eft', 520), received_on: '2026-11-19' }

  expect(lines(PAID, [late])[0]).toBe('Paid by EFT, 19 Nov 2026 -520')
})

// covers A17
it('lists refunds on an invoice and ends with the net total', () => {
  expect(lines(PAID, [payment('payfast', 520)], [refund(140), refund(20)])).toEqual([
    'Paid by PayFast, 21 Nov 2026 -520',
    'To pay 0',
    'Refunded, 22 Nov 2026 140',
    'Refunded, 22 Nov 2026 20',
    'Net total 360',
  ])
})

it('does not reduce an invoice’s total when a duplicate payment is refunded', () => {
  const twice = [payment('payfast', 520), payment('payfast', 520)]

  expect(lines(PAID, twice, [refund(520)]).at(-1)).toBe('Net total 520')
})

it('shows the overpaid amount on an invoice until the duplicate payment is refunded', () => {
  const twice = [payment('payfast', 520), payment('payfast', 520)]

  expect(lines(PAID, twice)).toEqual([
    'Paid by PayFast, 21 Nov 2026 -520',
    'Paid by PayFast, 21 Nov 2026 -520',
    'To pay 0',
    'Overpaid 520',
  ])
  expect(lines({ ...PAID, status: 'cancelled' }, twice).at(-1)).toBe('To pay 0')
})

it('names no payment provider on an invoice when a promo code covers the order', () => {
  const free = { ...PAID, totalCents: 0, discountCents: 520_00, promoCode: 'GIFT' }

  expect(lines(free)).toEqual(['Paid in full by promo code GIFT 0', 'To pay 0'])
})

it('asks for the missing amount of a short payment unless the order is cancelled', () => {
  expect(lines(UNPAID)).toEqual(['To pay 520'])
  expect(lines(UNPAID, [payment('payfast', 519)]).at(-1)).toBe('To pay 1')
  expect(lines({ ...UNPAID, status: 'cancelled' })).toEqual(['To pay 0'])
})

it('says on an invoice what was waived of an accepted short payment', () => {
  const short = { ...payment('payfast', 500), payment_acceptances: { shortfall: 20 } }

  expect(lines(PAID, [short])).toEqual(['Paid by PayFast, 21 Nov 2026 -500', 'Waived -20', 'To pay 0'])
  expect(lines(PAID, [short], [refund(100)]).at(-1)).toBe('Net total 400')
})

it('shows a plain payment line on an invoice when the ledger has no payment', () => {
  expect(lines(PAID, [], [refund(20)])).toEqual([
    'Paid -520',
    'To pay 0',
    'Refunded, 22 Nov 2026 20',
    'Net total 500',
  ])
})

function lines(
  order: Parameters<typeof moneyLines>[0],
  payments: InvoicePayment[] = [],
  refunds: InvoiceRefund[] = [],
): string[] {
  return moneyLines(order, { payments, refunds }).map(({ label, cents }) => `${label} ${cents / 100}`)
}

function payment(way: InvoicePayment['way'], amount_gross: number): InvoicePayment {
  const created_at = '2026-11-21T08:00:00Z'
  return { order_id: '1', way, amount_gross, created_at, received_on: null, payment_acceptances: null }
}

function refund(amount: number): InvoiceRefund {
  return { order_id: '1', amount, state_since: '2026-11-22T08:00:00Z' }
}
