/**
 * Does the admin area respond within 200 ms with 50 000 orders and 20 000 clients? Runs the query of each list, search and dashboard
 * figure with an admin's official client over HTTP, one after the other, including exact counts.
 */
import { ADMIN, clientOf, figuresOfDays, FULL_LISTS, orders, searchClients } from './admin-queries.ts'
import { createAdmin, openTradingShop, withDatabase } from './crowd.ts'
import { fillShop } from './large-shop.ts'
import { percentile, type BenchResult } from './result.ts'

const SIZE = { clients: 20_000, orders: 50_000 }
const BUDGET_MS = 200
const ROUNDS = 30

/** Beside the queries that must not grow: far pages, filters and sums over a year. */
const QUESTIONS = {
  ...ADMIN,
  ...FULL_LISTS,
  'Orders, last page': orders('?page=1000'),
  'Orders, by customer': orders('?sort=customer_name'),
  'Orders, paid, to Gauteng': orders('?payment=earned&province=Gauteng'),
  'Orders, a lure that half have': orders('?lure=Slow+Sinking+Stick+Bait+(180mm/150G)'),
  'Search: a name': orders('?search=mokoena'),
  'Search: that lure, to Gauteng': orders('?search=stick+bait&province=Gauteng'),
  'Search: a colour': orders('?search=pink+stinger'),
  'Clients, a name': searchClients('mokoena'),
  ...figuresOfDays(365),
}

export async function measureAdmin(): Promise<BenchResult[]> {
  const shop = await openTradingShop()
  try {
    await withDatabase(shop.databaseUrl, (database) => fillShop(database, SIZE))
    const ask = clientOf(shop, await createAdmin(shop))
    const rows: BenchResult[] = []
    for (const [question, query] of Object.entries(QUESTIONS)) {
      rows.push(rowOf(question, await times(() => ask(query))))
    }
    return rows
  } finally {
    await shop.stop()
  }
}

async function times(query: () => Promise<void>): Promise<number[]> {
  const measured: number[] = []
  for (let round = 0; round < ROUNDS + 3; round += 1) {
    const start = performance.now()
    await query()
    // The first three rounds warm up the caches and plans.
    if (round >= 3) measured.push(performance.now() - start)
  }
  return measured
}

function rowOf(question: string, measured: number[]): BenchResult {
  const p95 = percentile(measured, 0.95)
  return {
    question,
    load: `${SIZE.orders} orders, ${ROUNDS} times`,
    result: `p50 ${percentile(measured, 0.5).toFixed(0)} ms, p95 ${p95.toFixed(0)} ms`,
    comparison: `at most ${BUDGET_MS} ms`,
    isMet: p95 < BUDGET_MS,
  }
}
