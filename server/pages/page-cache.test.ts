import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { shopDatabase, type TestDatabase } from '#test/database.ts'
import { onServer, quietLog } from '@saltfreak/backend/testing'
import { type CatalogueInvalidation, watchCatalogue } from './catalogue-invalidation.ts'
import { RenderedPage } from './rendered-page.ts'
import { PageCache } from './page-cache.ts'

const OPTIONS = { headers: {}, use: 'cached' } as const

let test: TestDatabase
let invalidation: CatalogueInvalidation
let cache: PageCache<RenderedPage>
let closing: AbortController
let rendered: number
/** Called when the listening connection is lost. */
let onLost: () => void

const change = (sql: string) => test.database.owner.query(sql)
const ADD_STOCK = 'update public.product_variants set stock_quantity = stock_quantity + 1'

/** Renders a page that shows the current stock. */
async function render(): Promise<RenderedPage> {
  rendered += 1
  const { rows } = await test.database.owner.query(
    'select sum(available)::int as left from product_availability',
  )
  return new RenderedPage({ ...OPTIONS, status: 200 }, `${rows[0].left} left`)
}
const shownBy = async (page: RenderedPage) => String(await page.body('identity'))
const read = async () => shownBy(await cache.getOrMake('/products', render))

beforeAll(async () => {
  test = await shopDatabase()
})
afterAll(() => test.close())

beforeEach(async (context) => {
  rendered = 0
  onLost = () => {}
  closing = new AbortController()
  const listening = Promise.withResolvers<void>()
  invalidation = watchCatalogue({
    database: test.database,
    log: { warn: () => onLost() },
    onInvalidate() {
      own.clear()
      listening.resolve()
    },
    closing: closing.signal,
  })
  // Not `cache`: a late notice of one test would clear the cache of the next.
  const own = new PageCache<RenderedPage>(invalidation, 1024 * 1024)
  cache = own
  await listening.promise
  context.onTestFinished(() => closing.abort())
})

it('renders a page once and returns the page from the cache afterwards', async () => {
  const first = await cache.getOrMake('/products', render)

  expect(await cache.getOrMake('/products', render)).toBe(first)
  expect(cache.getCurrent('/products')).toBe(first)
  expect(rendered).toBe(1)
})

it('renders a page once for concurrent requests', async () => {
  await Promise.all([read(), read(), read()])

  expect(rendered).toBe(1)
})

it('renders a page again right after the same process changes the catalogue', async () => {
  for (let round = 0; round < 20; round += 1) {
    const before = await read()
    await change(ADD_STOCK)
    invalidation.noteWrite()

    expect(cache.getCurrent('/products')).toBeUndefined()
    expect(await read()).not.toBe(before)
  }
})

it('renders pages a few times a second at most while others order, and the last change shows soon', async () => {
  await read()
  const begin = performance.now()
  let renderings = 0
  for (let order = 0; order < 100; order += 1) {
    await change(ADD_STOCK)
    const before = rendered
    await read()
    renderings += rendered - before
  }
  const last = Number.parseInt(await shownBy(await render()), 10)

  await expect.poll(async () => Number.parseInt(await read(), 10)).toBe(last)
  expect(renderings).toBeLessThanOrEqual(Math.ceil((performance.now() - begin) / 200) + 1)
})

it('shows the change of this process at once although others order', async () => {
  for (let round = 0; round < 5; round += 1) {
    await change(ADD_STOCK)
    await read()
  }
  await change(ADD_STOCK)
  invalidation.noteWrite()

  expect(await read()).toBe(await shownBy(await render()))
})

it('clears the page cache when another process changes the catalogue', async () => {
  const before = await read()
  const otherProcess = watchCatalogue({
    database: test.database,
    log: quietLog,
    onInvalidate() {},
    closing: closing.signal,
  })
  await change(ADD_STOCK)

  otherProcess.noteWrite()
  await expect.poll(() => cache.getCurrent('/products')).toBeUndefined()
  expect(await read()).not.toBe(before)
})

it('does not cache a page when an invalidation arrives during the rendering', async () => {
  await cache.getOrMake('/products', async () => {
    const page = await render()
    await change(ADD_STOCK)
    invalidation.noteWrite()
    await invalidation.catchUp()
    return page
  })

  await read()
  expect(rendered).toBe(2)
})

it('keeps a page for an outage although an invalidation arrived during the rendering', async () => {
  const page = await cache.getOrMake('/products', async () => {
    const rendering = await render()
    cache.clear()
    return rendering
  })

  expect(cache.getCurrent('/products')).toBeUndefined()
  expect(cache.getOutdated('/products')).toBe(page)
})

it('keeps the newer of two renderings when the older one ends last', async () => {
  const olderMayEnd = Promise.withResolvers<void>()
  const older = cache.getOrMake('/products', async () => {
    await olderMayEnd.promise
    return render()
  })
  await expect.poll(() => cache.isPending('/products')).toBe(true)
  cache.clear()
  const newer = await cache.getOrMake('/products', render)
  olderMayEnd.resolve()
  await older

  expect(cache.getCurrent('/products')).toBe(newer)
})

it('does not cache a page with status 404', async () => {
  await cache.getOrMake('/nowhere', async () => new RenderedPage({ ...OPTIONS, status: 404 }, 'gone'))

  expect(cache.getCurrent('/nowhere')).toBeUndefined()
})

it('renders a page again when an expired reservation returns stock', async ({ onTestFinished }) => {
  const { rows } = await change(
    `insert into auth.users (id, email) values (gen_random_uuid(), 'reserver@example.com') returning id`,
  )
  const order = await change(
    `insert into public.orders (customer_id, total_amount, shipping_cost, shipping_method, shipping_address, shipping_city, shipping_state, shipping_zip)
     values ('${rows[0].id}', 210, 100, 'locker', '14 Beach Road', 'Durban', 'KwaZulu-Natal', '4001') returning id`,
  )
  await change(
    `insert into public.stock_reservations (order_id, variant_id, quantity, expires_at)
     select '${order.rows[0].id}', id, 1, now() + interval '30 seconds' from public.product_variants limit 1`,
  )
  invalidation.noteWrite()
  const withReservation = await read()

  expect(cache.getCurrent('/products')).toBeDefined()
  // As when time passes: without triggers, which would notify the cache.
  await onServer(test.superuserUrl, (superuser) =>
    superuser.query(
      `set session_replication_role = replica; update public.stock_reservations set expires_at = now()`,
    ),
  )
  const clock = performance.now.bind(performance)
  vi.spyOn(performance, 'now').mockImplementation(() => clock() + 30_000)
  onTestFinished(() => void vi.restoreAllMocks())
  expect(cache.getCurrent('/products')).toBeUndefined()
  expect(Number.parseInt(await read(), 10)).toBe(Number.parseInt(withReservation, 10) + 1)
})

it('caches no pages while the listening database connection is down', async () => {
  await read()
  const lost = Promise.withResolvers<unknown>()
  onLost = () => lost.resolve(cache.getCurrent('/products'))
  await change(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query like 'listen%'`,
  )

  expect(await lost.promise).toBeUndefined()
  const before = rendered
  await read()
  await read()
  expect(rendered).toBeGreaterThan(before)
})

it('keeps a page for an outage, and only for that, that was rendered before the listening connection was up', async () => {
  let isUp = false
  const early = new PageCache(
    { ...invalidation, isUpToDate: () => isUp, catchUp: async () => isUp },
    1024 * 1024,
  )

  const page = await early.getOrMake('/products', render)
  isUp = true

  expect(early.getOutdated('/products')).toBe(page)
  expect(early.getCurrent('/products')).toBeUndefined()
})
