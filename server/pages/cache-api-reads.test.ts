import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import type { ShopClient, ShopDatabase } from '#database'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type DatabasePools, filesOf } from '@saltfreak/backend'
import { loadClientKeys, openDatabase, quietLog } from '@saltfreak/backend/testing'
import { type CountingProxy, openCountingProxy } from '#test/counted-round-trips.ts'
import { shopDatabase, type TestDatabase } from '#test/database.ts'
import { createApi } from '../api.ts'
import { parseSettings } from '../settings.ts'
import { watchCatalogue } from './catalogue-invalidation.ts'
import { cacheApiReads } from './cache-api-reads.ts'
import { PageCache } from './page-cache.ts'

let test: TestDatabase
let way: CountingProxy
let database: DatabasePools
let visitor: ShopClient
let visitorOfFirstRow: ShopClient
let cache: PageCache
const closing = new AbortController()

/** The API's database connection counts round trips; invalidations arrive on another connection. */
beforeAll(async () => {
  test = await shopDatabase()
  way = await openCountingProxy(test.url)
  database = openDatabase(way.url)
  const settings = parseSettings({}, '/nowhere')
  const keys = await loadClientKeys(database.owner)
  const files = filesOf(settings.dataDir)
  const api = createApi({ settings, database, keys, files, log: pino({ level: 'silent' }) })
  const listening = Promise.withResolvers<void>()
  const onInvalidate = () => {
    cache.clear()
    listening.resolve()
  }
  const invalidation = watchCatalogue({
    database: test.database,
    log: quietLog,
    onInvalidate,
    closing: closing.signal,
  })
  cache = new PageCache(invalidation, 1024 * 1024)
  await listening.promise
  const cachedFetch = cacheApiReads(cache, (request) => api.fetch(request))
  visitor = createClient<ShopDatabase>(settings.publicUrl, keys.publishable, {
    accessToken: async () => null,
    global: { fetch: cachedFetch },
  })
  visitorOfFirstRow = createClient<ShopDatabase>(settings.publicUrl, keys.publishable, {
    accessToken: async () => null,
    global: { fetch: cachedFetch, headers: { Range: '0-0' } },
  })
  // The first call reads the schema and opens the connection.
  await visitor.from('products').select('id').throwOnError()
})

afterAll(async () => {
  closing.abort()
  await database.close()
  way.close()
  await test.close()
})

const namesOf = async () =>
  (await visitor.from('products').select('name').order('position').throwOnError()).data.map(
    ({ name }) => name,
  )

const readUnknownTable = async () => {
  const client: SupabaseClient = visitor
  return (await client.from('no_such_table').select('id')).status
}

it('queries the database once for a read that several pages share', async () => {
  const names = await namesOf()
  let again: unknown

  expect(await way.during(async () => void (again = await namesOf()))).toBe(0)
  expect(again).toEqual(names)
  expect(names).not.toHaveLength(0)
})

it('queries the database again after a catalogue change', async () => {
  await namesOf()
  await test.database.owner.query(`update public.products set name = 'Renamed' where position = 1`)

  await expect.poll(namesOf).toContain('Renamed')
})

it('caches API reads with different headers separately', async () => {
  await namesOf()

  const { count } = await visitor.from('products').select('name', { count: 'exact' }).limit(1).throwOnError()
  const one = await visitor.from('products').select('name').order('position').limit(1).single().throwOnError()

  expect(count).toBeGreaterThan(1)
  expect(one.data).toEqual({ name: (await namesOf())[0] })
  const { data: firstRow } = await visitorOfFirstRow
    .from('products')
    .select('name')
    .order('position')
    .throwOnError()
  expect(firstRow).toEqual([one.data])
})

it('calls the API for each POST, even to the same URL', async () => {
  const popper = await visitor.rpc('suggest_products', { term: 'popper' }).throwOnError()
  const nothing = await visitor.rpc('suggest_products', { term: 'zzzz' }).throwOnError()

  expect(popper.data).not.toEqual([])
  expect(nothing.data).toEqual([])
})

it('does not cache error responses of the API', async () => {
  expect(await readUnknownTable()).toBe(404)

  await test.database.owner.query(
    `create view public.no_such_table as select 1 as id; grant select on public.no_such_table to anon; notify pgrst, 'reload schema'`,
  )
  await expect.poll(readUnknownTable).toBe(200)
})
