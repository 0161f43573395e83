import { expect, it } from 'vitest'
import { averageCents, groupIntoBars, changeText, periodsOf, sumSales, type DayOfSales } from './period.ts'

// covers A30
it('compares a period with the same number of earlier days', () => {
  expect(periodsOf(7, '2026-03-03')).toEqual({
    now: { from: '2026-02-25', to: '2026-03-03' },
    before: { from: '2026-02-18', to: '2026-02-24' },
  })
})

it('sums daily sales without rounding errors', () => {
  const sales = sumSales([day('2026-03-01', 1, 0.1), day('2026-03-02', 2, 0.2)])

  expect(sales).toEqual({
    from: '2026-03-01',
    to: '2026-03-02',
    orders: 3,
    revenueCents: 30,
    refundCents: 200,
  })
  expect(averageCents(sales)).toBe(10)
})

it('returns an average of zero cents for zero orders', () => {
  expect(averageCents(sumSales([]))).toBe(0)
})

it.each([
  [7, 7, 1],
  [30, 30, 1],
  [90, 13, 6],
  [365, 13, 5],
])('groups %i days of sales into %i bars, with %i days in the oldest bar', (count, bars, oldest) => {
  const days = Array.from({ length: count }, (_, index) => day(`day ${index}`, 1, 1))

  expect(groupIntoBars(days)).toHaveLength(bars)
  expect(groupIntoBars(days)[0]?.orders).toBe(oldest)
  expect(groupIntoBars(days).at(-1)?.to).toBe(`day ${count - 1}`)
})

it.each([
  [112, 100, '+12 %'],
  [50, 100, '−50 %'],
  [100, 100, '±0 %'],
  [100, 0, null],
  [100, -50, null],
])('formats a sales change to %i from %i as %s', (now, before, text) => {
  expect(changeText(now, before)).toBe(text)
})

function day(name: string, orders: number, revenue: number): DayOfSales {
  return { day: name, orders, revenue, refunds: 1 }
}
