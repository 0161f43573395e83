/**
 * Does the admin area answer within 200 ms when the shop has grown: 50 000 orders, 20 000 clients? Each list, search and figure of the
 * dashboard is asked as the page asks it, with the official client of an admin over HTTP, one after the other, and both the answer and
 * its exact count are waited for.
 */
import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import { Client } from 'pg'
import { findRunningPostgres, postgresUrl } from '#backend/database/embedded.ts'
import { type RunningShop, startShop } from '#test/running-shop.ts'
import { fillShop } from './large-shop.ts'
import { isRunByItself, type Row, runAlone } from './row.ts'

const SIZE = { clients: 20_000, orders: 50_000 }
const BUDGET_MS = 200
const ROUNDS = 30
const ORDER = '*, profiles(full_name, email, phone)'
const PERIOD = { zone: 'Africa/Johannesburg', to_day: day(0), from_day: day(-364) }

type Ask = (backend: SupabaseClient) => PromiseLike<{ error: { message: string } | null }>

function day(away: number): string {
  return new Date(Date.now() + away * 86_400_000).toISOString().slice(0, 10)
}

function orders(backend: SupabaseClient, sort = '-created_at', page = 1) {
  const column = sort.replace('-', '')
  const ascending = !sort.startsWith('-')
  return backend
    .from('orders')
    .select(ORDER, { count: 'exact' })
    .order(column, { ascending })
    .order('id', { ascending })
    .range((page - 1) * 50, page * 50 - 1)
}

function found(term: string): Ask {
  return (backend) =>
    backend
      .rpc('search_orders', { term, at_most: 1000 }, { get: true, count: 'exact' })
      .select(ORDER)
      .order('created_at', { ascending: false })
      .order('id', { ascending: false })
      .range(0, 49)
}

function figure(name: string): Ask {
  return (backend) => backend.rpc(name, PERIOD, { get: true })
}

const QUESTIONS: Record<string, Ask> = {
  'Orders, first page': (backend) => orders(backend),
  'Orders, last page': (backend) => orders(backend, '-created_at', 1000),
  'Orders, by customer': (backend) => orders(backend, 'customer_name'),
  'Orders, by amount': (backend) => orders(backend, '-total_amount'),
  'Orders, delivered': (backend) => orders(backend).in('status', ['delivered']),
  'Orders, to Gauteng': (backend) => orders(backend).eq('shipping_state', 'Gauteng'),
  'Orders with a lure that half have': (backend) =>
    backend
      .from('orders')
      .select(`${ORDER}, order_items!inner(id)`, { count: 'exact' })
      .eq('order_items.product_name', 'Slow Sinking Stick Bait (180mm/150G)')
      .order('created_at', { ascending: false })
      .range(0, 49),
  'Search: a number': found('#00042'),
  'Search: a name': found('mokoena'),
  'Search: an e-mail': found('angler-77@example.com'),
  'Search: a phone number': found('082 000 2849'),
  'Search: a tracking number': found('TCG0079'),
  'Search: a lure that half have': found('stick bait'),
  'Search: a colour': found('pink stinger'),
  'Search: what nobody has': found('marlin'),
  'Clients, first page': (backend) =>
    backend
      .from('profiles')
      .select('*', { count: 'exact' })
      .order('created_at', { ascending: false })
      .range(0, 49),
  'Clients, searched': (backend) =>
    backend
      .from('profiles')
      .select('*', { count: 'exact' })
      .or(
        'full_name.ilike."%mokoena%",email.ilike."%mokoena%",phone.ilike."%mokoena%",city.ilike."%mokoena%"',
      )
      .order('created_at', { ascending: false })
      .range(0, 49),
  'Subscribers, first page': (backend) =>
    backend
      .from('newsletter_signups')
      .select('id, email, source, created_at, unsubscribed_at', { count: 'exact' })
      .order('created_at', { ascending: false })
      .range(0, 49),
  'Messages, first page': (backend) =>
    backend
      .from('contact_submissions')
      .select('*, contact_answers(answered_by, answered_at)', { count: 'exact' })
      .order('created_at', { ascending: false })
      .range(0, 49),
  'Promo codes': (backend) => backend.from('promo_codes').select('*', { count: 'exact' }),
  'To do': (backend) => backend.rpc('count_waiting_work', { low_stock_at_most: 3 }),
  'Revenue in all': (backend) => backend.rpc('revenue_in_all', {}, { get: true }),
  'Sales by day, 365 days': figure('sales_by_day'),
  'Sales by lure, 365 days': figure('sales_by_product'),
  'Sales by colour, 365 days': figure('sales_by_colour'),
  'Sales by province, 365 days': figure('sales_by_province'),
  'Unsold colours, 365 days': figure('unsold_colours'),
}

export async function measureAdmin(): Promise<Row[]> {
  const shop = await startShop()
  try {
    await fillDatabaseOf(shop)
    const backend = await asAdmin(shop)
    const rows: Row[] = []
    for (const [question, ask] of Object.entries(QUESTIONS)) {
      rows.push(rowOf(question, await times(backend, ask)))
    }
    return rows
  } finally {
    await shop.stop()
  }
}

async function fillDatabaseOf(shop: RunningShop): Promise<void> {
  const address = await findRunningPostgres(shop.dataDir)
  if (!address) throw new Error('the shop’s database does not run')
  // Only the superuser may write past the triggers.
  const database = new Client({ connectionString: postgresUrl(address, 'supabase_admin') })
  await database.connect()
  await fillShop(database, SIZE)
  await database.end()
}

async function asAdmin(shop: RunningShop): Promise<SupabaseClient> {
  if (!shop.admin) throw new Error('a new shop printed no first admin')
  const { publishable } = await shop.keys()
  const client = createClient(shop.url, publishable, { auth: { persistSession: false } })
  const { error } = await client.auth.signInWithPassword(shop.admin)
  if (error) throw error
  return client
}

async function times(backend: SupabaseClient, ask: Ask): Promise<number[]> {
  const measured: number[] = []
  for (let round = 0; round < ROUNDS + 3; round += 1) {
    const start = performance.now()
    const { error } = await ask(backend)
    if (error) throw new Error(error.message)
    // The first three fill the caches and let PostgreSQL plan.
    if (round >= 3) measured.push(performance.now() - start)
  }
  return measured.toSorted((one, other) => one - other)
}

function rowOf(question: string, sorted: number[]): Row {
  const at = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
  return {
    question,
    load: `${SIZE.orders} orders, ${ROUNDS} times`,
    result: `p50 ${at(0.5).toFixed(0)} ms, p95 ${at(0.95).toFixed(0)} ms`,
    beside: `at most ${BUDGET_MS} ms`,
    isReached: at(0.95) < BUDGET_MS,
  }
}

if (isRunByItself(import.meta.url)) await runAlone(measureAdmin)
