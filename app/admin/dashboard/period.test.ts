import { expect, it } from 'vitest'
import { ORDER_VIEWS } from '../orders/order-list.ts'
import { ordersLink, shortDay } from './order-links.ts'
import {
  averageCents,
  groupIntoBars,
  changeText,
  hasSales,
  periodsOf,
  sumSales,
  type DayOfSales,
} from './period.ts'
import { TO_DO_ITEMS } from './to-do.tsx'

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

it('links a figure to the orders that it counts: paid in the period and not cancelled', () => {
  const link = ordersLink({ from: '2026-11-01', to: '2026-11-07' }, { lure: 'Kite' })

  expect(link).toBe('/admin/orders?payment=earned&paid_from=2026-11-01&paid_to=2026-11-07&lure=Kite')
  expect([shortDay('2026-11-01'), shortDay('')]).toEqual(['01 Nov', ''])
})

it('compares with a period that had only refunds, but not with an empty one', () => {
  expect(hasSales(sumSales([{ day: '2026-11-01', orders: 0, revenue: -50, refunds: 50 }]))).toBe(true)
  expect(hasSales(sumSales([{ day: '2026-11-01', orders: 0, revenue: 0, refunds: 0 }]))).toBe(false)
})

it('opens from the to-do list the view of the orders that has its name', () => {
  const views = new Map(ORDER_VIEWS.map(({ name, address }) => [name, `orders${address}`]))
  const shared = TO_DO_ITEMS.filter(([, label]) => views.has(label))

  expect(shared.map(([, , to]) => to)).toEqual(shared.map(([, label]) => views.get(label)))
  expect(shared.map(([count]) => count)).toEqual(['to_refund', 'to_make', 'to_ship', 'awaiting_payment'])
})

function day(name: string, orders: number, revenue: number): DayOfSales {
  return { day: name, orders, revenue, refunds: 1 }
}
