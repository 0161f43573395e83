/**
 * Does the admin area respond within 200 ms with 50 000 orders and 20 000 clients? Runs the query of each list, search and dashboard
 * figure with an admin's official client over HTTP, one after the other, including exact counts.
 *
 * Last result, alone on two cores (p50, p95 in ms): orders 8–18, 35; their last page 108, 152; a lure that half of them have 101, 154;
 * searches 6–114, 145; the other lists 1–18, 32; figures of the dashboard over a year 2–124, 150.
 */
import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import type { ShopClient, ShopDatabase } from '#database'
import { Client } from 'pg'
import { anyContains, sortQuery, type List, readView, ROWS_ON_A_PAGE } from '#app/admin/list/list.ts'
import { ORDERS } from '#app/admin/orders/order-list.ts'
import { findRunningPostgres, postgresUrl } from '@saltfreak/backend'
import { type RunningShop, startShop } from '#test/running-shop.ts'
import { fillShop } from './large-shop.ts'
import { isMainModule, type BenchResult, runBench } from './result.ts'

const SIZE = { clients: 20_000, orders: 50_000 }
const BUDGET_MS = 200
const ROUNDS = 30
const BEST_SELLER = 'Slow Sinking Stick Bait (180mm/150G)'
const PERIOD = { zone: 'Africa/Johannesburg', to_day: day(0), from_day: day(-364) }

export type AdminQuery = (backend: ShopClient) => PromiseLike<{ error: { message: string } | null }>

function day(offsetDays: number): string {
  return new Date(Date.now() + offsetDays * 86_400_000).toISOString().slice(0, 10)
}

/** Returns the query of the order list for the search parameters. */
function orders(address = ''): AdminQuery {
  return pageOf(ORDERS, address)
}

/** Returns the query of a list for the search parameters. */
export function pageOf<Entry>(list: List<Entry>, address = ''): AdminQuery {
  const view = readView(list, new URLSearchParams(address))
  const first = (view.page - 1) * ROWS_ON_A_PAGE
  return (backend) =>
    sortQuery(list.buildQuery(backend, view), view.sort)
      .range(first, first + ROWS_ON_A_PAGE - 1)
      .retry(false)
}

interface Newest {
  search?: { columns: string[]; term: string }
  order?: string
}

/** Returns the query of a table's newest rows, optionally filtered by a search term. */
export function newest(table: string, { search, order = 'created_at' }: Newest = {}): AdminQuery {
  return (backend: SupabaseClient) => {
    const all = backend.from(table).select('*', { count: 'estimated' })
    const found = search ? all.or(anyContains(search.columns, search.term)) : all
    return found
      .order(order, { ascending: false })
      .order('id', { ascending: false })
      .range(0, ROWS_ON_A_PAGE - 1)
  }
}

function figure(name: string): AdminQuery {
  return (backend: SupabaseClient) => backend.rpc(name, PERIOD, { get: true })
}

const QUESTIONS: Record<string, AdminQuery> = {
  'Orders, first page': orders(),
  'Orders, last page': orders('?page=1000'),
  'Orders, by customer': orders('?sort=customer_name'),
  'Orders, by amount': orders('?sort=-total_amount'),
  'Orders, delivered': orders('?status=delivered'),
  'Orders, late': orders('?late=yes'),
  'Orders, paid, to Gauteng': orders('?payment=earned&province=Gauteng'),
  'Orders, a lure that half have': orders(`?lure=${encodeURIComponent(BEST_SELLER)}`),
  'Search: a number': orders('?search=%2300042'),
  'Search: a name': orders('?search=mokoena'),
  'Search: an e-mail': orders('?search=angler-77@example.com'),
  'Search: a phone number': orders('?search=082+000+2849'),
  'Search: a tracking number': orders('?search=TCG0079'),
  'Search: a lure that half have': orders('?search=stick+bait'),
  'Search: that lure, to Gauteng': orders('?search=stick+bait&province=Gauteng'),
  'Search: a colour': orders('?search=pink+stinger'),
  'Search: no match': orders('?search=marlin'),
  'Clients, first page': newest('profiles'),
  'Clients, a name': newest('profiles', {
    search: { columns: ['full_name', 'email', 'phone', 'city'], term: 'mokoena' },
  }),
  'Subscribers, first page': newest('subscribers'),
  'Messages, first page': newest('messages'),
  'Promo codes': newest('promo_code_results'),
  'To do': (backend) => backend.rpc('count_attention'),
  'Revenue in all': (backend) => backend.rpc('total_revenue', {}, { get: true }),
  'Sales by day, 365 days': figure('sales_by_day'),
  'Sales by lure, 365 days': figure('sales_by_product'),
  'Sales by colour, 365 days': figure('sales_by_variant'),
  'Sales by province, 365 days': figure('sales_by_province'),
  'Unsold colours, 365 days': figure('unsold_variants'),
}

export async function measureAdmin(): Promise<BenchResult[]> {
  const shop = await startShop()
  try {
    await fillDatabaseOf(shop)
    const backend = await asAdmin(shop)
    const rows: BenchResult[] = []
    for (const [question, query] of Object.entries(QUESTIONS)) {
      rows.push(rowOf(question, await times(backend, query)))
    }
    return rows
  } finally {
    await shop.stop()
  }
}

async function fillDatabaseOf(shop: RunningShop): Promise<void> {
  const address = await findRunningPostgres(shop.dataDir)
  if (!address) throw new Error('The shop’s database is not running')
  // Only the superuser may disable the triggers.
  const database = new Client({ connectionString: postgresUrl(address, 'supabase_admin') })
  await database.connect()
  await fillShop(database, SIZE)
  await database.end()
}

async function asAdmin(shop: RunningShop): Promise<ShopClient> {
  if (!shop.admin) throw new Error('The new shop printed no first admin')
  const { publishable } = await shop.keys()
  const client = createClient<ShopDatabase>(shop.url, publishable, { auth: { persistSession: false } })
  const { error } = await client.auth.signInWithPassword(shop.admin)
  if (error) throw error
  return client
}

async function times(backend: ShopClient, query: AdminQuery): Promise<number[]> {
  const measured: number[] = []
  for (let round = 0; round < ROUNDS + 3; round += 1) {
    const start = performance.now()
    const { error } = await query(backend)
    if (error) throw new Error(error.message)
    // The first three rounds warm up the caches and plans.
    if (round >= 3) measured.push(performance.now() - start)
  }
  return measured.toSorted((one, other) => one - other)
}

function rowOf(question: string, sorted: number[]): BenchResult {
  const at = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
  return {
    question,
    load: `${SIZE.orders} orders, ${ROUNDS} times`,
    result: `p50 ${at(0.5).toFixed(0)} ms, p95 ${at(0.95).toFixed(0)} ms`,
    comparison: `at most ${BUDGET_MS} ms`,
    isMet: at(0.95) < BUDGET_MS,
  }
}

if (isMainModule(import.meta.url)) await runBench(measureAdmin)
