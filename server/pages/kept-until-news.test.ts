import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { shopDatabase, type TestDatabase } from '#test/database.ts'
import { quietLog } from '#test/quiet-log.ts'
import { type CatalogueNews, followCatalogue } from './catalogue-news.ts'
import { FinishedPage } from './finished-page.ts'
import { KeptUntilNews } from './kept-until-news.ts'

const FACTS = { headers: {}, use: 'keptForAll' } as const

let test: TestDatabase
let news: CatalogueNews
let cache: KeptUntilNews<FinishedPage>
let closing: AbortController
let rendered: number

const change = (sql: string) => test.database.owner.query(sql)
const MADE = 'update public.product_variants set stock_quantity = stock_quantity + 1'

/** A page that shows the stock, as the database has it when the page is rendered. */
async function render(): Promise<FinishedPage> {
  rendered += 1
  const { rows } = await test.database.owner.query(
    'select sum(available)::int as left from product_availability',
  )
  return new FinishedPage({ ...FACTS, status: 200 }, `${rows[0].left} left`)
}
const read = async () => String(await (await cache.find('/products', render)).body('identity'))

beforeAll(async () => {
  test = await shopDatabase()
})
afterAll(() => test.close())

beforeEach(async (context) => {
  rendered = 0
  closing = new AbortController()
  const listening = Promise.withResolvers<void>()
  const onNews = () => {
    cache.forgetAll()
    listening.resolve()
  }
  news = followCatalogue({ database: test.database, log: quietLog, onNews, closing: closing.signal })
  cache = new KeptUntilNews(news, 1024 * 1024)
  await listening.promise
  context.onTestFinished(() => closing.abort())
})

it('renders a page once and then has it at hand', async () => {
  const first = await cache.find('/products', render)

  expect(await cache.find('/products', render)).toBe(first)
  expect(cache.atHand('/products')).toBe(first)
  expect(rendered).toBe(1)
})

it('renders once for all who ask at the same time', async () => {
  await Promise.all([read(), read(), read()])

  expect(rendered).toBe(1)
})

it('shows what this process has just written, to the first who asks', async () => {
  for (let round = 0; round < 20; round += 1) {
    const before = await read()
    await change(MADE)
    news.expectNews()

    expect(cache.atHand('/products')).toBeUndefined()
    expect(await read()).not.toBe(before)
  }
})

it('forgets its pages when another process changes the catalogue', async () => {
  const before = await read()
  const elsewhere = followCatalogue({
    database: test.database,
    log: quietLog,
    onNews() {},
    closing: closing.signal,
  })
  await change(MADE)

  elsewhere.expectNews()
  await expect.poll(() => cache.atHand('/products')).toBeUndefined()
  expect(await read()).not.toBe(before)
})

it('does not keep a page that was being rendered when the news came', async () => {
  await cache.find('/products', async () => {
    const page = await render()
    await change(MADE)
    news.expectNews()
    await news.catchUp()
    return page
  })

  await read()
  expect(rendered).toBe(2)
})

it('keeps no page that is not there', async () => {
  await cache.find('/nowhere', async () => new FinishedPage({ ...FACTS, status: 404 }, 'gone'))

  expect(cache.atHand('/nowhere')).toBeUndefined()
})

it('renders again when lures come back because a hold has expired', async () => {
  const { rows } = await change(
    `insert into auth.users (id, email) values (gen_random_uuid(), 'hold@example.com') returning id`,
  )
  const order = await change(
    `insert into public.orders (customer_id, total_amount, shipping_cost, shipping_method, shipping_address, shipping_city, shipping_state, shipping_zip)
     values ('${rows[0].id}', 210, 100, 'locker', '14 Beach Road', 'Durban', 'KwaZulu-Natal', '4001') returning id`,
  )
  await change(
    `insert into public.stock_reservations (order_id, variant_id, quantity, expires_at)
     select '${order.rows[0].id}', id, 1, now() + interval '400 ms' from public.product_variants limit 1`,
  )
  news.expectNews()
  const held = await read()

  expect(cache.atHand('/products')).toBeDefined()
  await expect.poll(() => cache.atHand('/products')).toBeUndefined()
  expect(Number.parseInt(await read(), 10)).toBe(Number.parseInt(held, 10) + 1)
})

it('keeps nothing while nobody can say what has changed', async () => {
  await read()
  await change(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query like 'listen%'`,
  )

  await expect.poll(() => cache.atHand('/products')).toBeUndefined()
  const before = rendered
  await read()
  await read()
  expect(rendered).toBeGreaterThan(before)
})
