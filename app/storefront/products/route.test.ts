import { RouterContextProvider } from 'react-router'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { memoiseContext, supabaseContext, type Memoise } from '#server/context.ts'
import { cacheValues } from '#server/pages/cache-values.ts'
import { PageCache } from '#server/pages/page-cache.ts'
import { openShop, type TestShop } from '#test/shop.ts'
import { listSitemapEntries } from '../search-engines/sitemap-entries.server.ts'
import type { Route } from './+types/route'
import { loader, meta } from './route.tsx'

let shop: TestShop

beforeAll(async () => {
  shop = await openShop()
  // With the three seeded products this makes two full pages and one product. Every other one is a spoon.
  await shop.database.owner.query(
    `insert into public.products (name, category, price, position)
     select 'Lure number ' || n, case n % 2 when 0 then 'Spoons' else '' end, 100 + n, 10 + n from generate_series(1, 46) n`,
  )
})
afterAll(() => shop.close())

function load(query: string, memoise?: Memoise) {
  const context = new RouterContextProvider()
  context.set(supabaseContext, shop.client())
  if (memoise) context.set(memoiseContext, memoise)
  const request = new Request(`http://shop.example/products${query}`)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The loader uses nothing else.
  return loader({ context, request } as unknown as Route.LoaderArgs)
}

/** Returns the title and the canonical address. */
async function metaOf(query: string) {
  const loaderData = await load(query)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The function uses nothing else.
  const tags = meta({ loaderData, matches: [] as unknown } as Route.MetaArgs) ?? []
  return tags.flatMap((tag) => ('title' in tag ? [tag.title] : 'rel' in tag ? [tag.href] : []))
}

it('shows each product once across the pages of the catalogue', async () => {
  const pages = await Promise.all(['', '?page=2', '?page=3'].map((query) => load(query)))

  expect(pages.map(({ products, page, pages: of }) => [products.length, page, of])).toEqual([
    [24, 1, 3],
    [24, 2, 3],
    [1, 3, 3],
  ])
  const names = pages.flatMap(({ products }) => products.map(({ name }) => name))
  expect(new Set(names).size).toBe(49)
  expect(names.at(-1)).toBe('Lure number 46')
})

it('caches each page of the catalogue apart', async () => {
  const cache = new PageCache(
    { isUpToDate: () => true, catchUp: async () => true, noteWrite() {}, timeToLiveMs: async () => 60_000 },
    1024 * 1024,
  )
  const memoise = cacheValues(cache)

  const first = await load('', memoise)
  const second = await load('?page=2', memoise)

  expect(second.products).not.toContainEqual(first.products[0])
})

it('responds with 404 for a catalogue page after the last', async () => {
  await expect(load('?page=4')).rejects.toMatchObject({ init: { status: 404 } })
})

it('searches and filters the whole catalogue and counts the results', async () => {
  const found = await load('?q=number&type=Spoons&price=144')

  expect(found).toMatchObject({ narrowed: { query: 'number', count: 22 }, productCount: 49, pages: 1 })
  expect(found.products).toHaveLength(22)
  expect((await load('?type=Others')).narrowed?.count).toBe(23)
  expect(await load('?q=number&page=2')).toMatchObject({ page: 2, pages: 2, products: { length: 22 } })
})

it('shows the whole catalogue when a search finds nothing', async () => {
  expect(await load('?q=snoek')).toMatchObject({ narrowed: { count: 0 }, pages: 3, products: { length: 24 } })
})

it('gives each further catalogue page a title and canonical URL, but not search results', async () => {
  expect(await metaOf('?page=2')).toEqual([
    expect.stringMatching(/^Our Products, page 2 /),
    'http://localhost/products?page=2',
  ])
  expect(await metaOf('?page=2&q=number')).toEqual([
    expect.stringMatching(/^Our Products – /),
    'http://localhost/products',
  ])
})

// covers S44
it('lists all products in the sitemap, even beyond the row limit of one API response', async () => {
  await shop.database.owner.query(
    `insert into public.products (name, price, position)
     select 'Many ' || n, 100, 1000 + n from generate_series(1, 1001) n`,
  )

  const paths = (await listSitemapEntries(shop.client())).map(({ path }) => path)
  expect(paths).toContain('/products/many-1')
  expect(paths).toContain('/products/many-1001')
})
