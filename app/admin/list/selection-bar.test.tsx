import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { ORDERS } from '../orders/order-list.ts'
import { readView } from './list.ts'
import { SelectionBar } from './selection-bar.tsx'
import type { ListState } from './use-list.ts'

/** The bar below a page whose rows are all selected. */
function bar(address: string, count: number, { isAll = false } = {}): string {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the bar reads only these
  const list = {
    definition: ORDERS,
    view: readView(ORDERS, new URLSearchParams(address)),
    page: { data: { rows: [], count } },
    selection: { count: isAll ? count : 50, isAll, pageState: true },
  } as unknown as ListState<never>
  return renderToStaticMarkup(<SelectionBar list={list}>{null}</SelectionBar>).replaceAll(/<[^>]+>/g, ' ')
}

it.each([
  ['?status=new', 'Select all 150 that match', 'All 150 that match'],
  ['?search=popper', 'Select all that match', 'All that match'],
  ['?search=popper&status=new', 'Select all 150 that match', 'All 150 that match'],
  ['?search=popper&sort=-total_amount', 'Select all 150 that match', 'All 150 that match'],
])('names the number of orders that match %s only if the search has found all', (address, button, label) => {
  expect(bar(address, 150)).toContain(button)
  expect(bar(address, 150, { isAll: true })).toContain(label)
})
