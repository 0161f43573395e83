import { expect, it } from 'vitest'
import { revenueOf, type Sale } from './revenue.ts'

it('counts orders that were paid and not cancelled since, to the cent', () => {
  const sales = [
    sale({ total_amount: 1234.5 }),
    sale({ total_amount: 0.1 }),
    sale({ total_amount: 500, status: 'cancelled' }),
    sale({ total_amount: 900, status: 'pending_payment', paid_at: null }),
    sale({ total_amount: 700, status: 'cancelled', paid_at: null }),
  ]

  expect(revenueOf(sales)).toEqual({
    totalCents: 123460,
    paidOrders: 2,
    averageCents: 61730,
    awaitingCents: 90000,
  })
})

it('has no average before the first sale', () => {
  expect(revenueOf([])).toEqual({ totalCents: 0, paidOrders: 0, averageCents: 0, awaitingCents: 0 })
})

function sale(part: Partial<Sale>): Sale {
  return {
    id: '00000000-0000-4000-8000-000000000000',
    created_at: '2026-11-21T08:00:00Z',
    total_amount: 100,
    status: 'new',
    paid_at: '2026-11-21T08:01:00Z',
    ...part,
  }
}
