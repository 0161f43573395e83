import { expect, it } from 'vitest'
import { SessionProvider } from '#app/data/session.tsx'
import { renderHtml, renderText } from '#test/render-page.tsx'
import type { Route } from './+types/route'
import Products from './route.tsx'

interface Shown {
  query: string
  count: number
}

function page({ query, count }: Shown, more: object = {}) {
  const filter = { type: null, lengthMm: null, weightGrams: null, maxPriceRand: null, isInStock: false }
  const choices = { types: ['Poppers'], lengthsMm: [], weightsGrams: [], maxPricesRand: [200] }
  const loaderData = {
    query,
    filter,
    choices,
    productCount: 3,
    products: [],
    page: 1,
    pages: 1,
    narrowed: { query, count },
    ...more,
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The page uses nothing else.
  const props = { loaderData } as unknown as Route.ComponentProps
  return (
    <SessionProvider publishableKey="">
      <Products {...props} />
    </SessionProvider>
  )
}

const textOf = (shown: Shown, more?: object) => renderText(page(shown, more))

it('says how many lures a search or filter found', () => {
  expect(textOf({ query: 'red', count: 2 })).toContain('2 lures for “red”. Clear search')
  expect(textOf({ query: '', count: 1 })).toContain('1 lure matches. Clear filter')
  expect(textOf({ query: '', count: 2 })).toContain('2 lures match. Clear filter')
})

it('says that nothing was found before it shows the whole range', () => {
  expect(textOf({ query: 'snoek', count: 0 })).toContain(
    'Nothing found for “snoek”. Here is the whole range:',
  )
  expect(textOf({ query: '', count: 0 })).toContain('Nothing matches all of that. Here is the whole range:')
})

it('keeps the search when a filter is chosen', () => {
  expect(renderHtml(page({ query: 'red', count: 2 }))).toContain('type="hidden" name="q" value="red"')
  expect(renderHtml(page({ query: '', count: 2 }))).not.toContain('name="q"')
})

it('names the page of the catalogue and leads to the next one only when there is one', () => {
  expect(textOf({ query: '', count: 30 }, { page: 1, pages: 2 })).toContain('Page 1 of 2 Next')
  expect(textOf({ query: '', count: 30 }, { page: 2, pages: 2 })).toContain('Previous Page 2 of 2')
  expect(textOf({ query: '', count: 30 }, { page: 2, pages: 2 })).not.toContain('Next')
})
