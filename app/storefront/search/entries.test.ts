import { beforeEach, expect, it, vi } from 'vitest'
import { findEntries, MAX_SUGGESTIONS, searchText } from './entries.ts'

let asked: URL

const popper = { slug: 'popper', name: 'Popper', category: null, colour: null, colour_slug: null }
const redPopper = { ...popper, category: 'Poppers', colour: 'Red Head', colour_slug: 'red-head' }

beforeEach(() => {
  vi.stubGlobal('fetch', async (path: string) => {
    asked = new URL(path, 'https://shop.example')
    return Response.json([popper, redPopper])
  })
})

it('leads from a suggestion to the page of its lure or colour', async () => {
  const [lure, colour] = await findEntries('red & white')

  expect(lure).toMatchObject({ title: 'Popper', type: 'Lure', path: '/products/popper' })
  expect(colour).toMatchObject({ title: 'Red Head', type: 'Popper', path: '/products/popper/red-head' })
  expect(Object.fromEntries(asked.searchParams)).toEqual({
    term: 'red & white',
    at_most: String(MAX_SUGGESTIONS),
  })
})

it('finds a colour also by the names of its lure and category', async () => {
  const [, colour] = await findEntries('red')

  expect(colour && searchText(colour)).toBe('Red Head Popper Popper Poppers')
})

it('suggests the pages of the shop after its lures', async () => {
  const paths = (await findEntries('x')).map(({ path }) => path)

  expect(paths.indexOf('/shipping-returns')).toBe(2)
  expect(paths).toContain('/privacy-policy')
})
