import { expect, it } from 'vitest'
import { pageText } from './list-pages.tsx'
import { anyContains, filterLabel, readView, viewAddress, type ListFilter } from './list.ts'

const STATUS: ListFilter = {
  name: 'status',
  label: 'Status',
  choices: [{ value: 'new', label: 'New' }],
}
const COLOUR: ListFilter = { name: 'colour', label: 'Colour' }
const LIST = {
  filters: [STATUS, COLOUR],
  sorts: { created_at: { label: 'Date', ascending: 'oldest first', descending: 'newest first' } },
  defaultSort: '-created_at',
}

// covers A1
it.each([
  '',
  '?search=mokoena&status=new&page=2',
  '?colour=Blue+Reaper',
  '?sort=created_at',
  '?status=new&colour=Pink&sort=created_at&page=12',
])('reads the list’s query string %s and writes the same string', (address) => {
  expect(viewAddress(LIST, readView(LIST, new URLSearchParams(address)))).toBe(address)
})

it.each([
  '?page=0',
  '?page=-3',
  '?page=first',
  '?status=stolen',
  '?search=%20%20',
  '?sort=password',
  '?sort=-created_at',
  '?colour=',
  '?unheard=of',
])('reads the query string %s as a list without filters', (address) => {
  expect(viewAddress(LIST, readView(LIST, new URLSearchParams(address)))).toBe('')
})

it('labels a filter with the chosen option, or with the plain value', () => {
  expect(filterLabel(STATUS, 'new')).toBe('New')
  expect(filterLabel(STATUS, 'stolen')).toBeNull()
  expect(filterLabel(COLOUR, 'Blue Reaper')).toBe('Blue Reaper')
})

it.each([
  [{ page: 1, count: 143 }, '1–50 of 143'],
  [{ page: 3, count: 143 }, '101–143 of 143'],
  [{ page: 9, count: 143 }, '143 in all'],
  [{ page: 2, count: 965_152 }, '51–100 of about 970\u00a0000'],
  [{ page: 1, count: 1000, isOpenEnded: true }, '1–50 of 1000 or more'],
])('describes the rows of the list page %o as %s', (page, text) => {
  expect(pageText(page)).toBe(text)
})

it('escapes every special character of a search term', () => {
  expect(anyContains(['name', 'city'], String.raw`50%_"\,`)).toBe(
    String.raw`name.ilike."%50\\%\\_\"\\\\,%",city.ilike."%50\\%\\_\"\\\\,%"`,
  )
})
