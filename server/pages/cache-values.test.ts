import { beforeEach, expect, it } from 'vitest'
import type { Memoise } from '../context.ts'
import type { CatalogueInvalidation } from './catalogue-invalidation.ts'
import { cacheValues } from './cache-values.ts'
import { PageCache } from './page-cache.ts'

const unchanging: CatalogueInvalidation = {
  isUpToDate: () => true,
  catchUp: async () => true,
  noteWrite() {},
  timeToLiveMs: async () => 60_000,
}

let store: PageCache
let memoise: Memoise
let made: string[]

beforeEach(() => {
  store = new PageCache(unchanging, 1024)
  memoise = cacheValues(store)
  made = []
})

const make =
  <Value>(name: string, value: Value) =>
  async () => {
    made.push(name)
    return value
  }

it('creates a cached value once and returns the same object to every caller', async () => {
  const first = await memoise('catalogue', make('catalogue', { lures: 3 }))

  expect(await memoise('catalogue', make('catalogue', { lures: 3 }))).toBe(first)
  expect(await memoise('terms', make('terms', { flatCents: 100 }))).toEqual({ flatCents: 100 })
  expect(made).toEqual(['catalogue', 'terms'])
})

it('creates a cached value again after an invalidation', async () => {
  await memoise('catalogue', make('catalogue', { lures: 3 }))
  store.clear()

  expect(await memoise('catalogue', make('catalogue', { lures: 4 }))).toEqual({ lures: 4 })
})

it('does not cache null, so the cache looks a missing value up again', async () => {
  expect(await memoise('lure marlin', make('marlin', null))).toBeNull()
  expect(await memoise('lure marlin', make('marlin', { name: 'Marlin' }))).toEqual({ name: 'Marlin' })
})

it('evicts cached values above the size limit, which includes the keys', async () => {
  const name = 'a lure with a very long name '.repeat(20)
  await memoise(name, make(name, 1))
  await memoise(name, make(name, 1))

  expect(made).toEqual([name, name])
})
