import { once } from 'node:events'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest'
import { createWebServer } from '@saltfreak/backend'
import { shopDatabase, type TestDatabase } from '#test/database.ts'
import { parseSettings } from '../settings.ts'
import { FAILURE } from './send-page.ts'
import { createPages, type Pages } from './serve-pages.ts'

const PAGE = Buffer.from('<html><head></head><body>Kob</body></html>')

let test: TestDatabase
let pages: Pages
let closing: AbortController
/** Each finishes one pending rendering. */
let waiting: (() => void)[]
let isBusy: boolean
let isBroken: boolean
let pageStatus: number
let rendered: number
/** The headers of the requests that pages were rendered for. */
let renderedFor: [string, string][]
let logged: string[]

beforeAll(async () => {
  test = await shopDatabase()
})
afterAll(() => test.close())

beforeEach(() => {
  closing = new AbortController()
  waiting = []
  isBusy = true
  isBroken = false
  pageStatus = 200
  rendered = 0
  renderedFor = []
  logged = []
  pages = createPages({
    database: test.database,
    settings: parseSettings({}, '/nowhere'),
    log: pino({}, { write: (line: string) => void logged.push(line) }),
    closing: closing.signal,
    styleSheets: async () => Buffer.from(''),
    callApi: () => new Response(),
    async render({ headers }) {
      rendered += 1
      renderedFor.push(...headers)
      if (isBusy) await new Promise<void>((finish) => waiting.push(finish))
      if (isBroken) throw new Error('the rendering failed')
      const response = new Response(null, { status: pageStatus, headers: { 'content-type': 'text/html' } })
      return { response, page: PAGE, errors: [] }
    },
  })
})
afterEach(() => closing.abort())

const requestPage = (path: string) =>
  pages.respond(new Request(`http://localhost${path}`, { headers: { accept: 'text/html' } }))

async function openServer() {
  const server = createWebServer(
    (request, response) => {
      if (!pages.send(request, response)) response.end('passed on')
    },
    { trustProxy: 0 },
  ).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : 0
  return { get: (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${port}${path}`, init) }
}

const OF_ONE_RESPONSE = ['date', 'x-request-id']
const sharedHeaders = ({ headers }: Response) =>
  [...headers].filter(([name]) => !OF_ONE_RESPONSE.includes(name))

function finishAll(): void {
  isBusy = false
  for (const finish of waiting) finish()
}

/** Pages are cached once the process listens for invalidations. */
async function waitUntilCaching(): Promise<void> {
  isBusy = false
  await expect
    .poll(async () => {
      const before = rendered
      await requestPage('/faq')
      return rendered - before
    })
    .toBe(0)
}

it('rejects page requests while the queue is full and renders all queued pages', async () => {
  const responses = Array.from({ length: 200 }, (_, n) => requestPage(`/products?q=${n}`))
  const refused = await Promise.any(responses)

  expect(refused.status).toBe(503)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(await refused.text()).toContain('Many anglers are here right now')

  await expect.poll(() => waiting.length).toBeGreaterThan(0)
  finishAll()
  const counts = Object.groupBy(await Promise.all(responses), ({ status }) => status)
  expect(counts[200]?.length).toBeGreaterThanOrEqual(100)
  expect((await requestPage('/products?q=after')).status).toBe(200)
})

it('renders a cacheable page once and serves all requests that wait for the rendering', async () => {
  await waitUntilCaching()
  isBusy = true
  rendered = 0
  const responses = Array.from({ length: 200 }, () => requestPage('/'))
  await expect.poll(() => waiting.length).toBeGreaterThan(0)
  finishAll()

  const settled = await Promise.all(responses)
  expect(new Set(settled.map(({ status }) => status))).toEqual(new Set([200]))
  expect(rendered).toBe(1)
})

it('passes on requests for files and API calls while the page queue is full', async () => {
  await waitUntilCaching()
  isBusy = true
  const { get } = await openServer()
  // Four run at once; the queue has room for a hundred more.
  const responses = [requestPage('/'), requestPage('/?a'), requestPage('/?b'), requestPage('/?c')]
  await expect.poll(() => waiting.length).toBe(responses.length)
  responses.push(...Array.from({ length: 110 }, (_, n) => requestPage(`/products?q=${n}`)))

  expect((await get('/products?q=late')).status).toBe(503)
  for (const path of [
    '/rest/v1/rpc/place_order',
    '/assets/a.js',
    '/payments/payfast/notice',
    '/mail/unsubscribe',
    '/healthz',
  ])
    expect([path, await (await get(path)).text()]).toEqual([path, 'passed on'])
  const home = get('/')

  finishAll()
  expect((await home).status).toBe(200)
  await Promise.all(responses)
})

it('sends uncached pages with the same headers and body as cached pages', async () => {
  await waitUntilCaching()
  const { get } = await openServer()
  const [cached, single] = [await get('/faq'), await get('/faq?for=me')]

  expect(sharedHeaders(single)).toEqual(sharedHeaders(cached))
  const ids = [single, cached].map(({ headers }) => headers.get('x-request-id'))
  expect(new Set(ids).size).toBe(2)
  expect(ids).toEqual([expect.stringMatching(/^[\da-f-]{36}$/), expect.any(String)])
  expect(single.headers.get('x-frame-options')).toBe('DENY')
  expect(await single.text()).toBe(await cached.text())

  const conditional = { 'if-none-match': single.headers.get('etag') ?? '' }
  expect((await get('/faq?for=me', { headers: conditional })).status).toBe(304)
  expect(await (await get('/faq?for=me', { method: 'HEAD' })).text()).toBe('')
  expect(await (await get('/faq?for=me', { method: 'POST' })).text()).toBe('passed on')
})

it('responds with status 500 when a page fails to render, and serves the next page', async () => {
  isBusy = false
  isBroken = true
  const { get } = await openServer()

  const broken = await get('/faq?for=me')
  expect([broken.status, await broken.text()]).toEqual([500, FAILURE])

  isBroken = false
  expect((await get('/faq?for=me')).status).toBe(200)
})

it('renders a cached page without the headers of the first visitor', async () => {
  isBusy = false

  await pages.respond(
    new Request('http://localhost/faq', { headers: { cookie: 'cart=1', 'accept-language': 'af' } }),
  )

  expect(rendered).toBe(1)
  expect(renderedFor).toEqual([])
})

it('responds with status 304 only when the page has status 200', async () => {
  isBusy = false
  pageStatus = 404
  const { get } = await openServer()
  const first = await get('/nowhere?for=me')
  const conditional = { headers: { 'if-none-match': first.headers.get('etag') ?? '' } }

  expect(first.headers.get('etag')).toMatch(/^W/)
  expect((await get('/nowhere?for=me', conditional)).status).toBe(404)
  expect((await pages.respond(new Request('http://localhost/nowhere?for=me', conditional))).status).toBe(404)
})

it('logs the path of a page without the query string', async () => {
  isBusy = false
  const { get } = await openServer()

  await get('/checkout?token=secret')

  await expect.poll(() => logged.length).toBeGreaterThan(0)
  expect(JSON.parse(logged.at(-1) ?? '')).toMatchObject({ path: '/checkout', status: 200 })
  expect(logged.join()).not.toContain('secret')
})
