import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { queryWithCount } from '#app/data/query-backend.ts'
import { LISTED_ORDER_COLUMNS, listedOrder } from '#domain/order.ts'

export const ORDERS_ON_A_PAGE = 10

/** Returns the customer's placed orders, newest first. */
export function useOwnOrders(customerId: string, page: number) {
  return useQuery({ ...ownOrdersQuery(customerId, page), placeholderData: keepPreviousData })
}

export const ownOrdersQuery = (customerId: string, page: number) =>
  queryOptions({
    queryKey: ['own-orders', customerId, page],
    queryFn: async () => {
      const first = (page - 1) * ORDERS_ON_A_PAGE
      const { data: orders, count } = await queryWithCount((backend) =>
        backend
          .from('orders')
          .select(`${LISTED_ORDER_COLUMNS}, order_items(*)`, { count: 'exact' })
          // Row-level security lets staff read all orders; this page shows only their own.
          .eq('customer_id', customerId)
          .not('placed_at', 'is', null)
          .order('placed_at', { ascending: false })
          .range(first, first + ORDERS_ON_A_PAGE - 1),
      )
      return { orders: orders.map(listedOrder), count }
    },
  })
