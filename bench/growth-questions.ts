import type { AdminQuery } from './admin-queries.ts'

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
