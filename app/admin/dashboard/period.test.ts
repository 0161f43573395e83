import { expect, it } from 'vitest'
import { averageCents, barsOf, changeText, periodsOf, salesOf, type DayOfSales } from './period.ts'

// covers A30
it('sets as many days before the period as it has', () => {
  expect(periodsOf(7, '2026-03-03')).toEqual({
    now: { from: '2026-02-25', to: '2026-03-03' },
    before: { from: '2026-02-18', to: '2026-02-24' },
  })
})

it('adds up to the cent', () => {
  const sales = salesOf([day('2026-03-01', 1, 0.1), day('2026-03-02', 2, 0.2)])

  expect(sales).toEqual({
    from: '2026-03-01',
    to: '2026-03-02',
    orders: 3,
    revenueCents: 30,
    refundCents: 200,
  })
  expect(averageCents(sales)).toBe(10)
})

it('has no average without an order', () => {
  expect(averageCents(salesOf([]))).toBe(0)
})

it.each([
  [7, 7, 1],
  [30, 30, 1],
  [90, 13, 6],
  [365, 13, 5],
])('draws %i days as %i bars, the oldest of %i', (count, bars, oldest) => {
  const days = Array.from({ length: count }, (_, index) => day(`day ${index}`, 1, 1))

  expect(barsOf(days)).toHaveLength(bars)
  expect(barsOf(days)[0]?.orders).toBe(oldest)
  expect(barsOf(days).at(-1)?.to).toBe(`day ${count - 1}`)
})

it.each([
  [112, 100, '+12 %'],
  [50, 100, '−50 %'],
  [100, 100, '±0 %'],
  [100, 0, null],
  [100, -50, null],
])('calls %i against %i %s', (now, before, text) => {
  expect(changeText(now, before)).toBe(text)
})

function day(name: string, orders: number, revenue: number): DayOfSales {
  return { day: name, orders, revenue, refunds: 1 }
}
