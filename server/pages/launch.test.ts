import { pino } from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { filesOf } from '@saltfreak/backend'
import { loadClientKeys } from '@saltfreak/backend/testing'
import { shopDatabase, type TestDatabase } from '#test/database.ts'
import { createApi } from '../api.ts'
import { parseSettings } from '../settings.ts'
import { createPages, type Pages } from './serve-pages.ts'

const SLUG = 'chisel-nose-popper-150'
const settings = parseSettings({}, '/nowhere')
const log = pino({ level: 'silent' })
const closing = new AbortController()

let test: TestDatabase
let pages: Pages
let renderedPaths: string[]
let calledApi: string[]

/** The page of this shop says the product's status as a visitor reads it. */
beforeAll(async () => {
  test = await shopDatabase()
  const { database } = test
  const keys = await loadClientKeys(database.owner)
  const api = createApi({ settings, database, keys, files: filesOf(settings.dataDir), log })
  pages = createPages({
    database,
    settings,
    log,
    closing: closing.signal,
    styleSheets: async () => Buffer.from(''),
    callApi(request) {
      calledApi.push(new URL(request.url).pathname)
      return api.fetch(request)
    },
    async render({ url }) {
      renderedPaths.push(new URL(url).pathname)
      const read = await pages.cachedFetch(
        `${settings.publicUrl}/rest/v1/products?select=status&slug=eq.${SLUG}`,
        { headers: { apikey: keys.publishable } },
      )
      const response = new Response(null, { headers: { 'content-type': 'text/html' } })
      return {
        response,
        page: Buffer.from(`<html><head></head><body>${await read.text()}</body></html>`),
        errors: [],
      }
    },
  })
})
afterAll(async () => {
  closing.abort()
  await test.close()
})

async function launchIn(ms: number, status: string): Promise<number> {
  renderedPaths = []
  calledApi = []
  const { rows } = await test.database.owner.query<{ at: string }>(
    `update public.products set status = $2, publish_at = clock_timestamp() + $3 * interval '1 ms' where slug = $1
     returning publish_at::text as at`,
    [SLUG, status, ms],
  )
  pages.noteWrite()
  return Date.parse(rows[0]?.at ?? '')
}

async function readPage() {
  const asked = Date.now()
  const response = await pages.respond(new Request(`${settings.publicUrl}/products/${SLUG}`))
  const body = await response.text()
  return { asked, received: Date.now(), isLive: body.includes('"live"'), isListed: body.includes('"status"') }
}

/** As late as visitors may see a product that is on sale. */
const TOLERANCE_MS = 250

it.each([
  ['announced', true],
  ['draft', false],
])(
  'a cached page of a product that is %s says that it is on sale from the launch on, and never before',
  async (status, isListed) => {
    const launch = await launchIn(1200, status)
    const seen: Awaited<ReturnType<typeof readPage>>[] = []
    await expect
      .poll(
        async () => {
          const page = await readPage()
          seen.push(page)
          return page.asked
        },
        { interval: 5, timeout: 5000 },
      )
      .toBeGreaterThan(launch + TOLERANCE_MS + 100)

    const before = seen.filter(({ received }) => received < launch)
    const after = seen.filter(({ asked }) => asked > launch + TOLERANCE_MS)
    expect(before.length).toBeGreaterThan(10)
    expect(after.length).toBeGreaterThan(0)
    expect(before.filter(({ isLive }) => isLive)).toEqual([])
    expect(before.some((page) => page.isListed)).toBe(isListed)
    expect(after.filter(({ isLive }) => !isLive)).toEqual([])
  },
)

it('the pages and pictures of a launch are prepared before it, and the pages again at it', async () => {
  await launchIn(1500, 'announced')
  const paths = [
    `/products/${SLUG}`,
    `/products/${SLUG}.data`,
    `/products/${SLUG}/red-head`,
    '/products',
    '/',
  ]

  await expect.poll(() => renderedPaths, { timeout: 1400 }).toEqual(expect.arrayContaining(paths))
  await expect
    .poll(() => calledApi.filter((path) => path.startsWith('/storage/v1/render/image/public/')).length)
    .toBeGreaterThan(0)
  renderedPaths = []
  await expect.poll(() => renderedPaths, { timeout: 3000 }).toEqual(expect.arrayContaining(paths))
})
