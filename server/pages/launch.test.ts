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
/** Status and path, such as `live /products`. */
let rendered: string[]
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
      const read = await pages.cachedFetch(
        `${settings.publicUrl}/rest/v1/products?select=status&slug=eq.${SLUG}`,
        { headers: { apikey: keys.publishable } },
      )
      const product = await read.text()
      rendered.push(`${/"status":"(\w+)"/.exec(product)?.[1]} ${new URL(url).pathname}`)
      const response = new Response(null, { headers: { 'content-type': 'text/html' } })
      return {
        response,
        page: Buffer.from(`<html><head></head><body>${product}</body></html>`),
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
  rendered = []
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

/** Returns a function that stops counting and returns for how many milliseconds the machine did not run this process. */
function countPauses(): () => number {
  let pausedMs = 0
  let last = performance.now()
  const timer = setInterval(() => {
    const now = performance.now()
    pausedMs += Math.max(0, now - last - 50)
    last = now
  }, 5)
  return () => {
    clearInterval(timer)
    return pausedMs
  }
}

it.each([
  ['announced', true],
  ['draft', false],
])(
  'a cached page of a product that is %s says that it is on sale from the launch on, and never before',
  async (status, isListed) => {
    await launchIn(60 * 60_000, status)
    const early = [await readPage(), await readPage()]
    expect(early.map(({ isLive }) => isLive)).toEqual([false, false])
    expect(early.map((page) => page.isListed)).toEqual([isListed, isListed])

    const launch = await launchIn(1200, status)
    const endPauses = countPauses()
    const seen: Awaited<ReturnType<typeof readPage>>[] = []
    // Longer intervals would rarely read the page between its expiry and the publication.
    await expect.poll(async () => seen[seen.push(await readPage()) - 1]?.isLive, { interval: 5 }).toBe(true)
    for (let reads = 0; reads < 10; reads += 1) seen.push(await readPage())

    const lateAfter = launch + TOLERANCE_MS + endPauses()
    const live = seen.filter(({ isLive }) => isLive)
    expect(seen.filter(({ asked, isLive }) => !isLive && asked > lateAfter)).toEqual([])
    expect(live.filter(({ received }) => received < launch)).toEqual([])
    expect(seen.slice(-live.length)).toEqual(live)
  },
)

it('the pages and pictures of a launch are prepared before it, and the pages again at it', async () => {
  const paths = [
    `/products/${SLUG}`,
    `/products/${SLUG}.data`,
    `/products/${SLUG}/red-head`,
    '/products',
    '/',
  ]
  const renderings = (status: string) => expect.arrayContaining(paths.map((path) => `${status} ${path}`))

  // As early as pages are prepared, so that a slow machine renders them before the launch too.
  await launchIn(19_000, 'announced')
  await expect.poll(() => rendered).toEqual(renderings('announced'))
  await expect
    .poll(() => calledApi.filter((path) => path.startsWith('/storage/v1/render/image/public/')).length)
    .toBeGreaterThan(0)

  await launchIn(1500, 'announced')
  await expect.poll(() => rendered).toEqual(renderings('live'))
})
