import { beforeEach, expect, it } from 'vitest'
import type { Keep } from '../context.ts'
import type { CatalogueNews } from './catalogue-news.ts'
import { keepValues, type KeptValue } from './keep-values.ts'
import { KeptUntilNews } from './kept-until-news.ts'

const quiet: CatalogueNews = {
  isInStep: () => true,
  catchUp: async () => true,
  expectNews() {},
  steadyForMs: async () => 60_000,
}

let store: KeptUntilNews<KeptValue>
let keep: Keep
let made: string[]

beforeEach(() => {
  store = new KeptUntilNews(quiet, 1024)
  keep = keepValues(store)
  made = []
})

const make =
  <Value>(name: string, value: Value) =>
  async () => {
    made.push(name)
    return value
  }

it('makes a thing once and gives the same to everybody', async () => {
  const first = await keep('range', make('range', { lures: 3 }))

  expect(await keep('range', make('range', { lures: 3 }))).toBe(first)
  expect(await keep('terms', make('terms', { flatCents: 100 }))).toEqual({ flatCents: 100 })
  expect(made).toEqual(['range', 'terms'])
})

it('makes it anew after news', async () => {
  await keep('range', make('range', { lures: 3 }))
  store.forgetAll()

  expect(await keep('range', make('range', { lures: 4 }))).toEqual({ lures: 4 })
})

it('looks again for what was not there', async () => {
  expect(await keep('lure marlin', make('marlin', null))).toBeNull()
  expect(await keep('lure marlin', make('marlin', { name: 'Marlin' }))).toEqual({ name: 'Marlin' })
})

it('keeps no more than there is room for, names counted', async () => {
  const name = 'a lure with a very long name '.repeat(20)
  await keep(name, make(name, 1))
  await keep(name, make(name, 1))

  expect(made).toEqual([name, name])
})
