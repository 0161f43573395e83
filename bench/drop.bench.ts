/**
 * Measures what limits a product drop: orders of one variant compared with orders of many, and buyers who all come in the same moment.
 * The shop's process runs on the first core; the kernel schedules PostgreSQL and the buyers.
 */
import { openTradingShop, type Pace, type TradingShop, withDatabase } from './crowd.ts'
import { drop, type Drop, sell } from './drop.ts'
import { dropThroughWholeFlow } from './drop-flow.ts'
import { fillShop } from './large-shop.ts'
import { type BenchResult, median, percentile } from './result.ts'

const ROUNDS = 5
const ORDERS = 600
const PER_SECOND_AT_LEAST = 800
const HOT_SHARE_AT_LEAST = 0.8
const BUYERS = 500
const PIECES = 100
const ANSWERS_P99_MS = 1000
const PAGES_P99_MS = 100

export async function measureDrop(): Promise<BenchResult[]> {
  const shop = await openTradingShop()
  try {
    await withDatabase(shop.databaseUrl, async (client) => {
      await fillShop(client, { clients: 200, orders: 2000 })
      await client.query('update public.product_variants set stock_quantity = 1000000')
      await client.query('vacuum analyze')
    })
    return [...(await sustainedRows(shop)), ...(await dropRows(shop)), await dropThroughWholeFlow(shop)]
  } finally {
    await shop.stop()
  }
}

/** Alternates, so that other load on the machine affects both equally. */
async function sustainedRows(shop: TradingShop): Promise<BenchResult[]> {
  const paces = { one: [] as Pace[], many: [] as Pace[] }
  for (const which of ['many', 'one'] as const) await sell(shop, which, 200)
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const which of ['many', 'one'] as const) paces[which].push(await sell(shop, which, ORDERS))
  }
  const [one, many] = [paces.one, paces.many].map((all) => median(all.map(({ perSecond }) => perSecond)))
  if (!one || !many) throw new Error('Nothing was measured')
  const load = `8 clients, median of ${ROUNDS}`
  return [
    {
      question: 'Cart insert and order, one variant',
      load,
      result: `${Math.round(one)}/s; p99 ${Math.round(median(paces.one.map(({ p99Ms }) => p99Ms)))} ms`,
      comparison: `at least ${PER_SECOND_AT_LEAST}/s`,
      isMet: one >= PER_SECOND_AT_LEAST,
    },
    {
      question: 'One variant compared with many',
      load,
      result: `${Math.round((100 * one) / many)} % of ${Math.round(many)}/s`,
      comparison: `at least ${HOT_SHARE_AT_LEAST * 100} %`,
      isMet: one / many >= HOT_SHARE_AT_LEAST,
    },
  ]
}

async function dropRows(shop: TradingShop): Promise<BenchResult[]> {
  const drops: Drop[] = []
  for (let round = 0; round < ROUNDS; round += 1)
    drops.push(await drop(shop, { buyers: BUYERS, pieces: PIECES }))
  console.log(
    histogram(
      'Answers to the buyers',
      drops.flatMap(({ answersMs }) => answersMs),
    ),
  )
  console.log(
    histogram(
      'Pages meanwhile',
      drops.flatMap(({ pagesMs }) => pagesMs),
    ),
  )

  const load = `${BUYERS} buyers of ${PIECES} pieces at once, median of ${ROUNDS}`
  const middle = (of: (one: Drop) => number) => Math.round(median(drops.map(of)))
  const answers = middle(({ answersMs }) => percentile(answersMs, 0.99))
  const pages = middle(({ pagesMs }) => percentile(pagesMs, 0.99))
  const overtaken = Math.max(...drops.map((one) => one.overtaken))
  const isExact = drops.every(
    ({ placed, soldOut, errors }) => placed === PIECES && soldOut === BUYERS - PIECES && errors === 0,
  )
  return [
    {
      question: 'Drop: cart insert and order',
      load,
      result: `${drops.map(({ placed, soldOut, errors }) => `${placed}/${soldOut}/${errors}`).join(' ')} placed/sold out/errors; p50 ${middle(({ answersMs }) => median(answersMs))} ms, p99 ${answers} ms; the latest buyer who got a piece came ${overtaken} too late`,
      comparison: `exactly ${PIECES} placed, p99 at most ${ANSWERS_P99_MS} ms`,
      isMet: isExact && answers <= ANSWERS_P99_MS,
    },
    {
      question: 'Drop: pages for those who browse',
      load: '10 visitors meanwhile',
      result: `p50 ${middle(({ pagesMs }) => median(pagesMs))} ms, p99 ${pages} ms`,
      comparison: `p99 at most ${PAGES_P99_MS} ms`,
      isMet: pages <= PAGES_P99_MS,
    },
  ]
}

const BOUNDS_MS = [10, 20, 50, 100, 200, 500, 1000, 2000, 5000, Infinity]

function histogram(title: string, times: number[]): string {
  const lines = BOUNDS_MS.map((bound, index) => {
    const from = BOUNDS_MS[index - 1] ?? 0
    const count = times.filter((ms) => ms >= from && ms < bound).length
    const range = bound === Infinity ? `from ${from}` : `${from}–${bound}`
    return `${range.padStart(10)} ms ${String(count).padStart(6)} ${'█'.repeat(Math.ceil((50 * count) / times.length))}`
  })
  return `\n${title}\n${lines.join('\n')}\n`
}
