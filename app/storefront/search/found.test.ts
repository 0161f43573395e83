import { expect, it } from 'vitest'
import { foundText } from './found.ts'

const popper = { title: 'Popper', type: 'Poppers', path: '/products/popper', keywords: 'lure' }

it('says that nothing was found only about the query that was searched', () => {
  const nothing = { query: 'snoek', entries: [], hasFailed: false }

  expect(foundText(nothing, 'snoek')).toBe('Nothing found for “snoek”.')
  expect(foundText(nothing, 'popper')).toBeNull()
  expect(foundText(null, 'popper')).toBeNull()
})

it('keeps the results of the last query while the next one is searched', () => {
  expect(foundText({ query: 'pop', entries: [popper], hasFailed: false }, 'popper')).toBe('1 result')
})

it('does not say that nothing was found when the lures could not be searched', () => {
  const text = "We couldn't search the lures. Please try again."

  expect(foundText({ query: 'popper', entries: [], hasFailed: true }, 'popper')).toBe(text)
})
