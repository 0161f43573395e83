import { expect, it } from 'vitest'
import { NO_FILTERS, historyAddress, readHistoryView } from './history-view.ts'

it('reads the history filters from the URL and writes the same URL again', () => {
  const address =
    '?who=0f0e0d0c-0000-4000-8000-000000000000&thing=promo_codes&from=2026-11-01&to=2026-11-21&page=2'

  expect(historyAddress(readHistoryView(new URLSearchParams(address)))).toBe(address)
})

it('ignores invalid history filters in the URL', () => {
  expect(readHistoryView(new URLSearchParams('?who=me&thing=A;B&from=yesterday&page=-1'))).toEqual(NO_FILTERS)
})
