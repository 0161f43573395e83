import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, it } from 'vitest'
import { renderText } from '#test/render-page.tsx'
import type { RevenueTotals } from './dashboard-queries.ts'
import { RevenueDialog } from './revenue-dialog.tsx'

/** Returns the text of the open dialog after its totals were requested. */
async function textAfter(queryFn: () => Promise<RevenueTotals>): Promise<string> {
  const queries = new QueryClient()
  const observer = new QueryObserver(queries, { queryKey: ['orders', 'revenue'], queryFn, retry: false })
  const totals = await observer.refetch()
  return renderText(<RevenueDialog totals={totals} isOpen onClose={() => undefined} />, { queries })
}

it('says in the breakdown of the revenue that it could not be loaded, and loads it again on request', async () => {
  const text = await textAfter(() => Promise.reject(new Error('Check your connection.')))

  expect(text).toContain('The breakdown could not be loaded Check your connection. Try again')
})

it('shows gross sales, refunds and net revenue in the breakdown', async () => {
  const figures = { gross: 1000, refunds: 100, revenue: 900, average: 450, awaiting: 210 }

  const text = await textAfter(async () => ({ ...figures, orders: 3, paid_orders: 2 }))

  expect(text).toContain('Gross sales R1 000.00 Refunds −R100.00 Total Revenue (net) R900.00')
})
