import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, it } from 'vitest'
import { renderText } from '#test/render-page.tsx'
import { sumSales, type DayOfSales } from './period.ts'
import { SalesFigures } from './sales-section.tsx'

const DAY: DayOfSales = { day: '2026-11-02', orders: 1, revenue: 300, refunds: 0 }

/** The text of the figures after the earlier sales were requested. */
async function textAfter(queryFn: () => Promise<DayOfSales[]>): Promise<string> {
  const observer = new QueryObserver(new QueryClient(), {
    queryKey: ['orders', 'sales_by_day', '2026-10-26', '2026-11-01'],
    queryFn,
    retry: false,
  })
  return renderText(<SalesFigures now={sumSales([DAY])} earlier={await observer.refetch()} days={7} />)
}

it('says when the sales to compare with could not be loaded, and loads them again on request', async () => {
  const text = await textAfter(() => Promise.reject(new Error('Check your connection.')))

  expect(text).toContain('R300.00')
  expect(text).toContain('Sales of the 7 days before could not be loaded Check your connection. Try again')
})

it('compares the sales of a period with those of the period before', async () => {
  const text = await textAfter(async () => [{ ...DAY, day: '2026-10-26', revenue: 200 }])

  expect(text).toContain('+50 % R200.00 in the 7 days before')
})
