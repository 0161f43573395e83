import { expect, it } from 'vitest'
import { EVERYTHING, historyAddress, readHistoryView } from './history-view.ts'

it('reads person, thing and time from the address, and writes them back', () => {
  const address =
    '?who=0f0e0d0c-0000-4000-8000-000000000000&thing=promo_codes&from=2026-11-01&to=2026-11-21&page=2'

  expect(historyAddress(readHistoryView(new URLSearchParams(address)))).toBe(address)
})

it('takes what cannot be for nothing', () => {
  expect(readHistoryView(new URLSearchParams('?who=me&thing=A;B&from=yesterday&page=-1'))).toEqual(EVERYTHING)
})
