import { once } from 'node:events'
import { createServer } from 'node:http'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest'
import { shopDatabase, type TestDatabase } from '#test/database.ts'
import { parseSettings } from '../settings.ts'
import { FAILURE } from './send-page.ts'
import { createPages, type Pages } from './serve-pages.ts'

const PAGE = Buffer.from('<html><head></head><body>Kob</body></html>')

let test: TestDatabase
let pages: Pages
let closing: AbortController
/** Ends each rendering that is under way. */
let waiting: (() => void)[]
let isBusy: boolean
let breaks: boolean
let rendered: number

beforeAll(async () => {
  test = await shopDatabase()
})
afterAll(() => test.close())

/** Pages that take as long as the test wants. */
beforeEach(() => {
  closing = new AbortController()
  waiting = []
  isBusy = true
  breaks = false
  rendered = 0
  pages = createPages({
    database: test.database,
    settings: parseSettings({}, '/nowhere'),
    log: pino({ level: 'silent' }),
    closing: closing.signal,
    styleSheets: async () => Buffer.from(''),
    ask: () => new Response(),
    async render() {
      rendered += 1
      if (isBusy) await new Promise<void>((finish) => waiting.push(finish))
      if (breaks) throw new Error('no page today')
      return { answer: new Response(null, { headers: { 'content-type': 'text/html' } }), page: PAGE }
    },
  })
})
afterEach(() => closing.abort())

const ask = (path: string) =>
  pages.answer(new Request(`http://localhost${path}`, { headers: { accept: 'text/html' } }))

/** What is no page is passed on. */
async function openServer() {
  const server = createServer((request, response) => {
    if (!pages.send(request, response)) response.end('passed on')
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : 0
  return { get: (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${port}${path}`, init) }
}

const withoutTime = ({ headers }: Response) => [...headers].filter(([name]) => name !== 'date')

function finishAll(): void {
  isBusy = false
  for (const finish of waiting) finish()
}

/** They are once news of the catalogue is listened for. */
async function untilPagesAreKept(): Promise<void> {
  isBusy = false
  await expect
    .poll(async () => {
      const before = rendered
      await ask('/faq')
      return rendered - before
    })
    .toBe(0)
}

it('refuses at once what could only be rendered late, and answers all that it has taken', async () => {
  const asked = Array.from({ length: 200 }, (_, n) => ask(`/products?q=${n}`))
  const refused = await Promise.any(asked)

  expect(refused.status).toBe(503)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(await refused.text()).toMatch(/try again in a few seconds/)

  await expect.poll(() => waiting.length).toBeGreaterThan(0)
  finishAll()
  const counts = Object.groupBy(await Promise.all(asked), ({ status }) => status)
  expect(counts[200]?.length).toBeGreaterThanOrEqual(100)
  expect((await ask('/products?q=after')).status).toBe(200)
})

it('renders a page that everybody gets once, and refuses nobody who waits for it', async () => {
  await untilPagesAreKept()
  isBusy = true
  rendered = 0
  const asked = Array.from({ length: 200 }, () => ask('/'))
  await expect.poll(() => waiting.length).toBeGreaterThan(0)
  finishAll()

  const answers = await Promise.all(asked)
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  expect(rendered).toBe(1)
})

it('passes on what is no page, however many pages wait', async () => {
  await untilPagesAreKept()
  isBusy = true
  const { get } = await openServer()
  // As many as are begun before the first is finished, and more than may wait behind them.
  const asked = [ask('/'), ask('/?a'), ask('/?b'), ask('/?c')]
  await expect.poll(() => waiting.length).toBe(asked.length)
  asked.push(...Array.from({ length: 110 }, (_, n) => ask(`/products?q=${n}`)))

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
  await Promise.all(asked)
})

it('sends a page that is not kept as it sends one that is', async () => {
  await untilPagesAreKept()
  const { get } = await openServer()
  const [kept, single] = [await get('/faq'), await get('/faq?for=me')]

  expect(withoutTime(single)).toEqual(withoutTime(kept))
  expect(single.headers.get('x-frame-options')).toBe('DENY')
  expect(await single.text()).toBe(await kept.text())

  const known = { 'if-none-match': single.headers.get('etag') ?? '' }
  expect((await get('/faq?for=me', { headers: known })).status).toBe(304)
  expect(await (await get('/faq?for=me', { method: 'HEAD' })).text()).toBe('')
  expect(await (await get('/faq?for=me', { method: 'POST' })).text()).toBe('passed on')
})

it('says so when a page cannot be made, and goes on', async () => {
  isBusy = false
  breaks = true
  const { get } = await openServer()

  const broken = await get('/faq?for=me')
  expect([broken.status, await broken.text()]).toEqual([500, FAILURE])

  breaks = false
  expect((await get('/faq?for=me')).status).toBe(200)
})
