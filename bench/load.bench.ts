/**
 * Measures the CPU time of rendering a page, and the behaviour under four times the maximum load. The process runs on the first
 * core, the load generator on the other.
 */
import {
  openTradingShop,
  measurePace,
  createPeopleWithCarts,
  orderRequest,
  type CrowdCustomer,
  type CrowdRequest,
  send,
  type TradingShop,
  withDatabase,
} from './crowd.ts'
import { BROWSER_HEADERS, loadTest, installTools, runTool } from './measured-shop.ts'
import type { BenchResult } from './result.ts'

/** Unknown query parameters bypass the page cache, so every request renders the page. */
const RENDERED = [
  '/?rendered',
  '/products?rendered',
  '/products/chisel-nose-popper-150?rendered',
  '/faq?rendered',
]
const CPU_AT_MOST_MS = 3
const OVERLOAD_FACTOR = 4

export async function measureLoad(): Promise<BenchResult[]> {
  installTools()
  const shop = await openTradingShop()
  try {
    await withDatabase(shop.databaseUrl, (client) =>
      client.query('update public.product_variants set stock_quantity = 1000000'),
    )
    const rows: BenchResult[] = []
    for (const path of RENDERED) rows.push(await renderRow(shop, path))
    rows.push(...(await overloadRows(shop)))
    return rows
  } finally {
    await shop.stop()
  }
}

async function renderRow(shop: TradingShop, path: string): Promise<BenchResult> {
  const target = { url: shop.url + path, pid: shop.process.pid }
  await loadTest(target, { seconds: 3, connections: 4 })
  const { perCpuSecond, p50Ms } = await loadTest(target, { seconds: 5, connections: 1 })
  const cpuMs = 1000 / perCpuSecond
  return {
    question: `Rendered page, ${path.replace('?rendered', '')}`,
    load: 'one at a time, 5 s',
    result: `${cpuMs.toFixed(1)} ms CPU time including compression; p50 ${p50Ms} ms`,
    comparison: `at most ${CPU_AT_MOST_MS} ms`,
    isMet: cpuMs <= CPU_AT_MOST_MS,
  }
}

/** Floods the shop with requests for rendered pages while customers place orders and retry when refused. */
async function overloadRows(shop: TradingShop): Promise<BenchResult[]> {
  const target = { url: `${shop.url}/products?rendered`, pid: shop.process.pid }
  const { perSecond: carried } = await loadTest(target, { seconds: 5, connections: 16 })
  const people = await createPeopleWithCarts(shop, 60)
  const rate = String(Math.round(carried * OVERLOAD_FACTOR))
  const load = ['-c', '400', '-d', '10', '-R', rate, '-t', '20', ...BROWSER_HEADERS, target.url]
  const flood = runTool('autocannon', ['--json', ...load])
  const orders = measurePace(
    people.map((person) => () => untilAnswered(shop, orderRequest(person))),
    4,
  )
  const { '2xx': answered, non2xx: refused, errors, latency } = JSON.parse(await flood)
  const { p50Ms } = await orders
  const recovery = await recoveryMs(shop)
  const lost = await ordersMissing(shop, people)
  return [
    {
      question: `${OVERLOAD_FACTOR} times the capacity (${Math.round(carried)} rendered pages/s)`,
      load: `${rate}/s, 400 connections, 10 s`,
      result: `${Math.round(answered / 10)}/s answered, ${Math.round(refused / 10)}/s refused, ${errors} broken; p99 ${latency.p99} ms`,
      comparison: 'at least 60 % of the capacity answered, nothing broken',
      isMet: answered / 10 >= carried * 0.6 && refused > 0 && errors === 0,
    },
    {
      question: 'Orders during that',
      load: '60 customers, who retry when refused',
      result: `${people.length - lost} placed, ${lost} lost; p50 ${Math.round(p50Ms)} ms including retries; first page afterwards in ${Math.round(recovery)} ms`,
      comparison: 'none lost',
      isMet: lost === 0 && recovery < 1000,
    },
  ]
}

async function untilAnswered(shop: TradingShop, order: CrowdRequest): Promise<void> {
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- retries with the same idempotency key
    const { status, body } = await send(shop, order)
    if (status < 300) return
    if (status !== 503) throw new Error(`Placing an order failed with ${status}: ${body}`)
    // oxlint-disable-next-line no-await-in-loop
    await new Promise((settle) => setTimeout(settle, 200))
  }
}

async function recoveryMs(shop: TradingShop): Promise<number> {
  const start = performance.now()
  let status = 0
  while (status !== 200) status = (await send(shop, { path: '/products?rendered' })).status
  return performance.now() - start
}

async function ordersMissing(shop: TradingShop, people: CrowdCustomer[]): Promise<number> {
  const { rows } = await withDatabase(shop.databaseUrl, (client) =>
    client.query<{ count: string }>('select count(*) from public.orders where customer_id = any ($1)', [
      people.map(({ userId }) => userId),
    ]),
  )
  return people.length - Number(rows[0]?.count)
}
