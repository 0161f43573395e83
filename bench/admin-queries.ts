import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import type { ShopClient, ShopDatabase } from '#database'
import { type List, readView, ROWS_ON_A_PAGE, sortQuery } from '#app/admin/list/list.ts'
import { ORDERS } from '#app/admin/orders/order-list.ts'
import type { CrowdCustomer, TradingShop } from './crowd.ts'

export type AdminQuery = (backend: ShopClient) => PromiseLike<{ error: { message: string } | null }>

/** Returns a function that asks as the person, with the official client and its counts. */
export function clientOf(shop: TradingShop, { token }: CrowdCustomer) {
  const client = createClient<ShopDatabase>(shop.url, shop.publishableKey, { accessToken: async () => token })
  return async (query: AdminQuery): Promise<void> => {
    const { error } = await query(client)
    if (error) throw new Error(error.message)
  }
}

/** Returns the query of the order list for the search parameters. */
export function orders(address = ''): AdminQuery {
  return pageOf(ORDERS, address)
}

function pageOf<Entry>(list: List<Entry>, address: string): AdminQuery {
  const view = readView(list, new URLSearchParams(address))
  const first = (view.page - 1) * ROWS_ON_A_PAGE
  return (backend) =>
    sortQuery(list.buildQuery(backend, view), view.sort)
      .range(first, first + ROWS_ON_A_PAGE - 1)
      .retry(false)
}

/** Returns the query of a table's newest rows. */
function newest(table: string, order = 'created_at'): AdminQuery {
  return (backend: SupabaseClient) =>
    backend
      .from(table)
      .select('*', { count: 'estimated' })
      .order(order, { ascending: false })
      .order('id', { ascending: false })
      .range(0, ROWS_ON_A_PAGE - 1)
}

export function searchClients(term: string): AdminQuery {
  return (backend) =>
    backend.rpc('search_clients', { term }, { get: true, count: 'exact' }).limit(ROWS_ON_A_PAGE)
}

function figure(name: string, days: number): AdminQuery {
  const period = { zone: 'Africa/Johannesburg', from_day: day(1 - days), to_day: day(0) }
  return (backend: SupabaseClient) => backend.rpc(name, period, { get: true })
}

function day(offsetDays: number): string {
  return new Date(Date.now() + offsetDays * 86_400_000).toISOString().slice(0, 10)
}

/** Sums over a period, whose cost grows with the trade in that period. */
export function figuresOfDays(days: number): Record<string, AdminQuery> {
  return {
    [`Sales by day, ${days} days`]: figure('sales_by_day', days),
    [`Sales by lure, ${days} days`]: figure('sales_by_product', days),
    [`Sales by colour, ${days} days`]: figure('sales_by_variant', days),
    [`Sales by province, ${days} days`]: figure('sales_by_province', days),
    [`Unsold colours, ${days} days`]: figure('unsold_variants', days),
  }
}

/** Lists and searches that may not grow with the shop. */
export const ADMIN: Record<string, AdminQuery> = {
  'Orders, first page': orders(),
  'Orders, delivered': orders('?status=delivered'),
  'Orders, late': orders('?late=yes'),
  'Orders, by amount': orders('?sort=-total_amount'),
  'Orders, of a product': orders('?lure=Chisel+Nose+Popper+150mm%2F30G'),
  'Orders, of a product without orders': orders('?lure=Chisel+Nose+Popper+150mm%2F30G+7'),
  'Search: a number': orders('?search=%2300042'),
  'Search: an e-mail': orders('?search=angler-7@example.com'),
  'Search: a phone number': orders('?search=082+000+0259'),
  'Search: a tracking number': orders('?search=TCG00015838'),
  'Search: a lure': orders('?search=stick+bait'),
  'Search: no match': orders('?search=marlin'),
  'Clients, first page': newest('profiles'),
  'Clients, an e-mail': searchClients('angler-7@example.com'),
  'Photos, first page': newest('gallery_submissions'),
  'Subscribers, first page': newest('subscribers'),
  'Messages, first page': newest('messages'),
  'To do': (backend) => backend.rpc('count_attention'),
  'Low stock': (backend) => backend.rpc('list_low_stock'),
  'Revenue in all': (backend) => backend.rpc('total_revenue', {}, { get: true }),
  'Needs attention': (backend) =>
    backend.from('open_payment_issues').select('*').order('raised_at', { ascending: false }).limit(50),
}

/** Lists that a new shop cannot fill: before a comparison they must be filled, or three rows would be compared with fifty. */
export const FULL_LISTS: Record<string, AdminQuery> = {
  'Orders, to make': orders('?status=new'),
  'Products, first page': newest('products'),
  'Promo codes': newest('promo_code_results'),
  'History, first page': newest('history', 'id'),
}
