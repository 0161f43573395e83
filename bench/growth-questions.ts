import type { SupabaseClient } from '@supabase/supabase-js'
import { ORDERS } from '#app/admin/orders/order-list.ts'
import { type AdminQuery, newest, pageOf } from './admin.bench.ts'

/** Rendered pages (the query bypasses the page cache) whose content does not depend on the size of the catalogue. */
export const PAGES: Record<string, string> = {
  'Product page': '/products/chisel-nose-popper-150?made',
  FAQ: '/faq?made',
}

/** Pages that show as many products as fit: a small catalogue must fill them before the comparison. */
export const FULL_PAGES: Record<string, string> = {
  'Home page': '/?made',
  'Catalogue, first page': '/products?made',
  'Catalogue, a search': '/products?q=chisel',
  'Catalogue, a filter': '/products?type=Poppers&stock=in',
  Collections: '/collections?made',
  'Size guide': '/size-guide?made',
  Gallery: '/gallery?made',
}

/** Calls of visitors' browsers. */
export const VISITOR: Record<string, string> = {
  'Search suggestions': '/rest/v1/rpc/suggest_products?at_most=40&term=chisel',
  'Search suggestions, misspelt': '/rest/v1/rpc/suggest_products?at_most=40&term=chissel',
  'Availability of a product':
    '/rest/v1/product_availability?select=variant_id,available,products!inner(slug)&products.slug=eq.chisel-nose-popper-150',
  'Catalogue read, 3 lures':
    '/rest/v1/products?select=id,slug,name,price,product_variants(id,name)&status=eq.live&order=position&limit=3',
  'Approved photos':
    '/rest/v1/gallery_submissions?select=id&status=eq.approved&order=created_at.desc&limit=20',
}

/** Calls of the account pages of a customer with one order. */
export const questionsOfCustomer = (customerId: string): Record<string, AdminQuery> => ({
  'Own orders': (backend) =>
    backend
      .from('orders')
      .select('id, order_number, status, total_amount, order_items(id, product_name)', { count: 'exact' })
      .eq('customer_id', customerId)
      .not('placed_at', 'is', null)
      .order('placed_at', { ascending: false })
      .range(0, 9),
  'Own cart': (backend) => backend.from('cart_items').select('*'),
  'Cart quote': (backend) => backend.rpc('quote_cart'),
  'Promo code, validated': (backend) => backend.rpc('validate_promo_code', { code_input: 'NOSUCHCODE' }),
})

const PERIOD = { zone: 'Africa/Johannesburg', from_day: day(-29), to_day: day(0) }

function day(offsetDays: number): string {
  return new Date(Date.now() + offsetDays * 86_400_000).toISOString().slice(0, 10)
}

function figure(name: string): AdminQuery {
  return (backend: SupabaseClient) => backend.rpc(name, PERIOD, { get: true })
}

function first(table: string, order: string): AdminQuery {
  return (backend: SupabaseClient) =>
    backend.from(table).select('*').order(order, { ascending: false }).limit(50)
}

/** Calls of the admin area: lists and searches. */
export const ADMIN: Record<string, AdminQuery> = {
  'Orders, first page': pageOf(ORDERS),
  'Orders, delivered': pageOf(ORDERS, '?status=delivered'),
  'Orders, late': pageOf(ORDERS, '?late=yes'),
  'Orders, by amount': pageOf(ORDERS, '?sort=-total_amount'),
  'Orders, of a product': pageOf(ORDERS, '?lure=Chisel+Nose+Popper+150mm%2F30G'),
  'Orders, of a product without orders': pageOf(ORDERS, '?lure=Chisel+Nose+Popper+150mm%2F30G+7'),
  'Search: a number': pageOf(ORDERS, '?search=%2300042'),
  'Search: an e-mail': pageOf(ORDERS, '?search=angler-7@example.com'),
  'Search: a phone number': pageOf(ORDERS, '?search=082+000+0259'),
  'Search: a tracking number': pageOf(ORDERS, '?search=TCG00015838'),
  'Search: a lure': pageOf(ORDERS, '?search=stick+bait'),
  'Search: no match': pageOf(ORDERS, '?search=marlin'),
  'Clients, first page': newest('profiles'),
  'Clients, an e-mail': (backend) =>
    backend.rpc('search_clients', { term: 'angler-7@example.com' }, { get: true, count: 'exact' }).limit(50),
  'Photos, first page': newest('gallery_submissions'),
  'Subscribers, first page': newest('subscribers'),
  'Messages, first page': newest('messages'),
  'To do': (backend) => backend.rpc('count_attention'),
  'Low stock': (backend) => backend.rpc('list_low_stock'),
  'Revenue in all': (backend) => backend.rpc('total_revenue', {}, { get: true }),
  'Sales by day, 30 days': figure('sales_by_day'),
  'Needs attention': first('open_payment_issues', 'raised_at'),
}

/** Lists that a new shop cannot fill: they must be filled first, or three rows would be compared with fifty. */
export const FULL_LISTS: Record<string, AdminQuery> = {
  'Orders, to make': pageOf(ORDERS, '?status=new'),
  'Products, first page': newest('products'),
  'Promo codes': newest('promo_code_results'),
  'History, first page': newest('history', { order: 'id' }),
}

/** Sums over a period, whose cost grows with the trade in that period. They have a time budget instead of a ratio. */
export const PERIOD_QUERIES: Record<string, AdminQuery> = {
  'Sales by lure, 30 days': figure('sales_by_product'),
  'Sales by province, 30 days': figure('sales_by_province'),
}
