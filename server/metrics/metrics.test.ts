import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Pool } from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { aBuyer, placeOrder } from '#test/buyer.ts'
import { openShop, type TestShop } from '#test/shop.ts'
import { createMetrics } from './create-metrics.ts'

const TOKEN = 'a-token-of-the-scraper'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop({ metricsToken: TOKEN })
})
afterAll(() => shop.close())

const LOOPBACK = 'http://localhost:3000/metrics'
const ELSEWHERE = 'https://shop.example/metrics'

async function statusOf(url: string, headers: Record<string, string> = {}): Promise<number> {
  return (await shop.fetch(new Request(url, { headers }))).status
}

it('shows metrics to programs on this machine and to holders of the token only', async () => {
  expect(await statusOf(LOOPBACK)).toBe(200)
  expect(await statusOf(LOOPBACK, { 'X-Forwarded-For': '203.0.113.7' })).toBe(404)
  expect(await statusOf(ELSEWHERE)).toBe(404)
  expect(await statusOf(ELSEWHERE, { Authorization: 'Bearer another-token-entirely' })).toBe(404)
  expect(await statusOf(ELSEWHERE, { Authorization: `Bearer ${TOKEN}` })).toBe(200)
})

it('counts orders, mails and jobs, and says how the components do, in Prometheus’ text format', async () => {
  await placeOrder(shop.database, await aBuyer(shop.database))

  const response = await shop.fetch(LOOPBACK)
  const samples = parse(await response.text())

  expect(response.headers.get('Content-Type')).toContain('text/plain; version=0.0.4')
  expect(samples.get('shop_orders{status="pending_payment"}')).toBe(1)
  expect(samples.get('shop_database_up')).toBe(1)
  expect(samples.get('shop_component_state{component="database"}')).toBe(0)
  expect(samples.get('shop_jobs{state="late"}')).toBe(0)
  expect(samples.get('shop_disk_bytes{kind="free"}')).toBeGreaterThan(0)
  expect(samples.has('shop_pool_connections{pool="api",state="idle"}')).toBe(true)
  expect(samples.has('nodejs_eventloop_lag_p99_seconds')).toBe(true)
})

/** The metrics of a shop with backups, which has every metric. */
async function everyMetric(): Promise<string> {
  const backup = { folder: shop.settings.dataDir, everyHours: 24, passphrase: null }
  const { routes, watchCaches } = createMetrics({ ...shop, settings: { ...shop.settings, backup } })
  watchCaches(() => ({ pages: { entries: 1, bytes: 1000 } }))
  const headers = { Authorization: `Bearer ${TOKEN}` }
  return (await routes.request(ELSEWHERE, { headers })).text()
}

it('says when the newest backup was begun, in seconds, and how bad each component is', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'backups-'))
  await mkdir(join(folder, '2026-11-21T08-30-00Z'))
  const backup = { folder, everyHours: 24, passphrase: null }
  await shop.database.owner.query(
    `select graphile_worker.add_job('check_notice', run_at => now() - interval '1 hour')`,
  )
  await shop.database.owner.query(
    `insert into public.mails (key, template, props, status, attempts, created_at)
     values ('late', 'account-closed', '{}', 'failed', 1, now() - interval '4 days')`,
  )
  const { routes } = createMetrics({ ...shop, settings: { ...shop.settings, backup } })

  const headers = { Authorization: `Bearer ${TOKEN}` }
  const samples = parse(await (await routes.request(ELSEWHERE, { headers })).text())
  await rm(folder, { recursive: true })

  expect(samples.get('shop_newest_backup_timestamp_seconds')).toBe(Date.parse('2026-11-21T08:30:00Z') / 1000)
  expect(samples.get('shop_component_state{component="mail"}')).toBe(1)
  expect(samples.get('shop_component_state{component="jobs"}')).toBe(2)
  expect(samples.get('shop_jobs{state="late"}')).toBe(1)
  expect(samples.get('shop_mails{status="failed"}')).toBe(1)
})

it('says that the database is away, and counts nothing then', async () => {
  const nowhere = new Pool({ host: '127.0.0.1', port: 1 })
  const { routes } = createMetrics({ ...shop, database: { ...shop.database, owner: nowhere, api: nowhere } })

  const headers = { Authorization: `Bearer ${TOKEN}` }
  const samples = parse(await (await routes.request(ELSEWHERE, { headers })).text())
  await nowhere.end()

  expect(samples.get('shop_database_up')).toBe(0)
  expect(samples.has('shop_orders{status="pending_payment"}')).toBe(false)
})

async function queriesOfDashboard(): Promise<string[]> {
  const { panels }: { panels: { targets?: { expr: string }[] }[] } = JSON.parse(
    await readFile('deploy/grafana.json', 'utf8'),
  )
  return panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))
}

/** Returns what Prometheus' own tool reports about its input, or skips the test where it is not installed. */
async function promtool(
  test: { skip(note: string): void },
  args: string[],
  input = '',
): Promise<{ code: number | null; output: string }> {
  if (spawnSync('promtool', ['--version']).status !== 0) test.skip('promtool is not installed')
  const tool = spawn('promtool', args)
  let output = ''
  for (const stream of [tool.stdout, tool.stderr]) stream.on('data', (chunk) => (output += String(chunk)))
  tool.stdin.end(input)
  const [code] = await once(tool, 'close')
  return { code, output }
}

it('passes Prometheus’ own check of metrics', async (test) => {
  expect(await promtool(test, ['check', 'metrics'], await everyMetric())).toEqual({ code: 0, output: '' })
})

it('asks in the Grafana dashboard what Prometheus understands', async (test) => {
  const rules = (await queriesOfDashboard()).map((expr, number) => ({ record: `panel:${number}`, expr }))
  const folder = await mkdtemp(join(tmpdir(), 'rules-'))
  const file = join(folder, 'rules.yml')
  await writeFile(file, JSON.stringify({ groups: [{ name: 'dashboard', rules }] }))

  const { code, output } = await promtool(test, ['check', 'rules', file]).finally(() =>
    rm(folder, { recursive: true }),
  )

  expect(output).toContain(`${rules.length} rules found`)
  expect(code).toBe(0)
})

it('shows in the Grafana dashboard only metrics that exist', async () => {
  const text = await everyMetric()
  const types = Array.from(text.matchAll(/^# TYPE (\S+) (\S+)$/gm), ([, name = '', type]) => ({ name, type }))
  const metrics = types.flatMap(({ name, type }) =>
    type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
  )

  const queries = await queriesOfDashboard()
  expect(queries.length).toBeGreaterThan(10)
  expect(queries.flatMap(metricsIn).filter((name) => !metrics.includes(name))).toEqual([])
  expect(queries.filter((query) => metricsIn(query).length === 0)).toEqual([])
})

/** Every name in a query that is neither a function nor a label nor a span of time. */
function metricsIn(query: string): string[] {
  const bare = query.replaceAll(/\bby \([^)]*\)|\[\w+\]|\{[^}]*\}/g, '')
  return Array.from(bare.matchAll(/\b[a-z_]\w*\b(?!\s*\()/gi), ([name]) => name)
}

it('measures requests by route class and status, whatever the addresses are', async () => {
  const { countRequest, routes } = createMetrics(shop)
  const server = createServer((request, response) => {
    countRequest(request, response)
    response.writeHead(request.url === '/missing' ? 404 : 200).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  for (const path of [
    '/',
    '/products/a',
    '/products/b?c',
    '/missing',
    '/rest/v1/orders?id=eq.1',
    '/assets/a.js',
  ]) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await (await fetch(origin + path)).text()
  }
  server.close()
  await once(server, 'close')

  const text = await (await routes.request(LOOPBACK, {}, { remoteAddress: '127.0.0.1' })).text()
  const counts = [...parse(text)].filter(([name]) => name.startsWith('shop_request_duration_seconds_count'))

  expect(Object.fromEntries(counts)).toEqual({
    'shop_request_duration_seconds_count{route="page",status="2xx"}': 3,
    'shop_request_duration_seconds_count{route="page",status="4xx"}': 1,
    'shop_request_duration_seconds_count{route="rest",status="2xx"}': 1,
    'shop_request_duration_seconds_count{route="file",status="2xx"}': 1,
  })
})

/** Returns the samples by name and labels. Throws where a line is not in Prometheus' text format, or has no help and type before it. */
function parse(text: string): Map<string, number> {
  const samples = new Map<string, number>()
  const described = new Map<string, Set<string>>()
  expect(text).not.toMatch(/^# TYPE \S+_total gauge$/m)
  for (const line of text.split('\n').filter(Boolean)) {
    const comment = /^# (HELP|TYPE) ([a-z][a-z0-9_]*) \S.*$/.exec(line)
    if (comment) {
      const [, kind = '', name = ''] = comment
      described.set(name, (described.get(name) ?? new Set()).add(kind))
      continue
    }
    const sample =
      /^([a-z][a-z0-9_]*)(\{(?:[a-z_]+="[^"\\]*",?)+\})? (-?[\d.]+(?:e[+-]?\d+)?|\+Inf|Na[nN])$/.exec(line)
    if (!sample) throw new Error(`not a sample: ${line}`)
    const [, name = '', labels = '', value] = sample
    const family = [name, name.replace(/_(?:bucket|sum|count)$/, '')].find((each) => described.has(each))
    if (described.get(family ?? '')?.size !== 2) throw new Error(`no help and type: ${line}`)
    if (samples.has(name + labels)) throw new Error(`twice: ${line}`)
    samples.set(name + labels, Number(value))
  }
  return samples
}
