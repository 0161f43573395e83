import { createClient } from '@supabase/supabase-js'
import { expect, it } from 'vitest'
import type { ShopDatabase } from '#database'
import { ORDERS } from '../orders/order-list.ts'
import { pageText } from './list-pages.tsx'
import {
  anyContains,
  filterLabel,
  isFiltered,
  readView,
  sortQuery,
  viewAddress,
  type ListFilter,
} from './list.ts'

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
  [{ page: 1, count: 1000, hasMore: true }, '1–50 of 1000 or more'],
])('describes the rows of the list page %o as %s', (page, text) => {
  expect(pageText(page)).toBe(text)
})

it('escapes every special character of a search term', () => {
  expect(anyContains(['name', 'city'], String.raw`50%_"\,`)).toBe(
    String.raw`name.ilike."%50\\%\\_\"\\\\,%",city.ilike."%50\\%\\_\"\\\\,%"`,
  )
})

it('breaks ties of a sorted list by the id, so that no row is on two pages', async () => {
  const sorted: (string | null)[] = []
  const client = createClient<ShopDatabase>('http://shop.example', 'key', {
    global: {
      async fetch(address) {
        sorted.push(new URL(address instanceof Request ? address.url : address).searchParams.get('order'))
        return Response.json([])
      },
    },
  })
  const orders = () => ORDERS.buildQuery(client, { search: '', filters: {} })

  await sortQuery(orders(), '-total_amount')
  await sortQuery(orders(), 'created_at')

  expect(sorted).toEqual(['total_amount.desc,id.desc', 'created_at.asc,id.asc'])
})

const filtered = (address: string) => isFiltered(readView(LIST, new URLSearchParams(address)))

it('treats a list as filtered with a search or a filter, not with a page or a sort', () => {
  expect(filtered('?page=2&sort=created_at')).toBe(false)
  expect(filtered('?search=kite')).toBe(true)
  expect(filtered('?colour=Pink')).toBe(true)
})

it('cuts an endless search term or filter, which the server would refuse', () => {
  const view = readView(LIST, new URLSearchParams({ search: 'a'.repeat(5000), colour: 'b'.repeat(5000) }))

  expect([view.search.length, view.filters['colour']?.length]).toEqual([100, 100])
})
