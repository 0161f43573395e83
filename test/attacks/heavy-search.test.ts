import { afterAll, beforeAll, expect, it } from 'vitest'

import { openShop, type TestShop } from '#test/shop.ts'
import { callsFrom, countStatuses } from './from-address.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop({ trustProxy: 1 })
})
afterAll(() => shop.close())

const words = (letters: number) => 'abcdefghi '.repeat(letters / 10)

it('rejects a visitor’s request body of more than 64 kB on every route', async () => {
  const call = callsFrom(shop, '192.0.2.1')
  const answers = await Promise.all([
    call('/rest/v1/rpc/suggest_products', { body: { term: words(910_000) } }),
    call('/rest/v1/contact_submissions', { body: { message: words(70_000) } }),
    call('/functions/v1/send-contact-notification', { body: { message: words(70_000) } }),
    call('/auth/v1/signup', { body: { email: 'a@example.com', password: words(70_000) } }),
  ])

  expect(countStatuses(answers)).toEqual({ 413: 4 })
})

it('uses only the first 200 characters of a search term', async () => {
  const call = callsFrom(shop, '192.0.2.2')
  const found = await call('/rest/v1/rpc/suggest_products', {
    body: { term: `popper${' '.repeat(200)}zzzz` },
  })
  const { rows } = await shop.database.owner.query(
    `select length(private.run_condition($1)) as run, cardinality(private.search_conditions($1)) as words`,
    [words(60_000)],
  )

  expect(await found.json()).not.toEqual([])
  expect(rows[0].run).toBeLessThan(220)
  expect(rows[0].words).toBe(16)
})

it('rejects a visitor’s filters whose patterns add up to more than 200 characters', async () => {
  const pattern = `name.ilike.*${'a*'.repeat(20)}*`
  const path = `/rest/v1/products?select=name&or=(${Array.from({ length: 10 }, () => pattern).join()})`

  const refused = await callsFrom(shop, '192.0.2.3')(path)

  expect(refused.status).toBe(400)
  expect(await refused.json()).toMatchObject({ code: 'PGRST100' })
  expect((await callsFrom(shop, '192.0.2.3')(`/rest/v1/products?select=name&name=ilike.*pop*`)).status).toBe(
    200,
  )
})

it('cancels a visitor’s statement after one second', async () => {
  await shop.database.owner.query(`
    create function public.slow() returns text language sql volatile as $$ select pg_sleep(60)::text $$;
    create function public.time_limit() returns text language sql as $$ select current_setting('statement_timeout') $$;
    grant execute on function public.slow(), public.time_limit() to anon;
    notify pgrst, 'reload schema'`)
  const call = callsFrom(shop, '192.0.2.4')
  const limit = await call('/rest/v1/rpc/time_limit', { body: {} })
  const slow = await call('/rest/v1/rpc/slow', { body: {} })

  expect(await limit.json()).toBe('1s')
  expect(await slow.json()).toMatchObject({ code: '57014' })
})

it('rate-limits anonymous calls of database functions by address', async () => {
  await shop.database.owner.query(
    `insert into auth.rate_limits (bucket, subject, level) values ('rpc by visitor', '192.0.2.5', 6000)`,
  )

  expect((await callsFrom(shop, '192.0.2.5')('/rest/v1/rpc/suggest_products?term=popper')).status).toBe(429)
  expect((await callsFrom(shop, '192.0.2.6')('/rest/v1/rpc/suggest_products?term=popper')).status).toBe(200)
})

it('runs a few calls of one network address at a time and rejects calls beyond a short queue', async () => {
  const call = callsFrom(shop, '192.0.2.7')
  const answers = await Promise.all(Array.from({ length: 90 }, () => call('/rest/v1/products?select=name')))

  // Seventy wait behind two, the share of the ten connections that a test has.
  expect(countStatuses(answers)).toEqual({ 200: 72, 429: 18 })
})

it('rejects a visitor’s URL of more than 8 kB', async () => {
  const conditions = Array.from({ length: 600 }, (_, at) => `name.eq.lure-${at}`).join()

  const refused = await callsFrom(shop, '192.0.2.8')(`/rest/v1/products?select=name&or=(${conditions})`)

  expect(refused.status).toBe(414)
})

it('limits one address’s error responses per second without slowing down other addresses', async () => {
  const flooding = Array.from({ length: 60 }, () =>
    callsFrom(shop, '192.0.2.9')('/rest/v1/no_such_table').then(() => performance.now()),
  )
  const start = performance.now()
  const other = callsFrom(shop, '192.0.2.10')('/rest/v1/products?select=name').then(() => performance.now())
  const last = Math.max(...(await Promise.all(flooding)))

  // Each of two slots pauses for 100 ms after an error response, so sixty of them take twenty-nine pauses.
  expect(last - start).toBeGreaterThan(2800)
  expect((await other) - start).toBeLessThan(last - start)
})

it('adds up the patterns and text searches of a visitor’s separate filters', async () => {
  const call = callsFrom(shop, '192.0.2.11')
  const pattern = `ilike.*${'a*'.repeat(60)}`
  const statuses = [
    (await call(`/rest/v1/products?select=name&name=${pattern}`)).status,
    (await call(`/rest/v1/products?select=name&name=${pattern}&description=${pattern}`)).status,
    (await call(`/rest/v1/products?select=name&name=plfts.${'a'.repeat(201)}`)).status,
  ]

  expect(statuses).toEqual([200, 400, 400])
})
