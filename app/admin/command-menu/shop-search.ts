import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { queryBackend } from '#app/data/query-backend.ts'
import { orderStatusLabel } from '#domain/order-status.ts'
import { LISTED_ORDER_COLUMNS, listedOrder } from '#domain/order.ts'
import { useIsPacker } from '../frame/role.ts'
import { anyContains } from '../list/list.ts'

export interface SearchHit {
  id: string
  group: 'Orders' | 'Clients' | 'Products'
  label: string
  detail: string
  path: string
}

const SHOWN_OF_EACH = 5
const SHORTEST_TERM = 2

export function useShopSearch(term: string) {
  const isPacker = useIsPacker()
  const isLongEnough = term.length >= SHORTEST_TERM
  return useQuery({
    queryKey: ['shop-search', term],
    enabled: isLongEnough,
    // Results of a longer term would be first, and Enter opens the first.
    placeholderData: isLongEnough ? keepPreviousData : undefined,
    queryFn: async () => {
      const others = isPacker ? [] : [findClients(term), findProducts(term)]
      return (await Promise.all([findOrders(term), ...others])).flat()
    },
  })
}

async function findOrders(term: string): Promise<SearchHit[]> {
  const orders = await queryBackend((backend) =>
    backend
      .rpc('search_orders', { term, at_most: SHOWN_OF_EACH }, { get: true })
      .select(LISTED_ORDER_COLUMNS)
      .order('created_at', { ascending: false })
      .limit(SHOWN_OF_EACH),
  )
  return orders.map(listedOrder).map(({ id, number, status, customerName }) => ({
    id: `order-${id}`,
    group: 'Orders',
    label: `#${number}`,
    detail: [customerName, orderStatusLabel(status)].filter(Boolean).join(', '),
    path: `/admin/orders/${id}`,
  }))
}

async function findClients(term: string): Promise<SearchHit[]> {
  const clients = await queryBackend((backend) =>
    backend
      .rpc('search_clients', { term, at_most: SHOWN_OF_EACH }, { get: true })
      .select('id, full_name, email')
      .order('created_at', { ascending: false })
      .limit(SHOWN_OF_EACH),
  )
  return clients.map(({ id, full_name, email }) => ({
    id: `client-${id}`,
    group: 'Clients',
    label: full_name || email || 'Client',
    detail: full_name ? (email ?? '') : '',
    path: `/admin/clients/${id}`,
  }))
}

async function findProducts(term: string): Promise<SearchHit[]> {
  const products = await queryBackend((backend) =>
    backend
      .from('products')
      .select('id, name, category')
      .or(anyContains(['name', 'model'], term))
      .order('position')
      .limit(SHOWN_OF_EACH),
  )
  return products.map(({ id, name, category }) => ({
    id: `product-${id}`,
    group: 'Products',
    label: name,
    detail: category ?? '',
    path: `/admin/products?${new URLSearchParams({ search: name })}`,
  }))
}
