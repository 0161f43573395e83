import { ORDER_STATUSES, orderNumberText, orderStatusLabel, type OrderStatus } from '#domain/order-status.ts'
import type { List } from '../list/list.ts'
import { WITH_CUSTOMER, type Order } from './order.ts'

export const ORDERS: List<Order> = {
  name: 'orders',
  title: 'Orders',
  things: { one: 'order', many: 'orders' },
  idOf: ({ id }) => id,
  nameOf: ({ order_number }) => `order #${orderNumberText(order_number)}`,
  searches: 'Number, name, e-mail, phone, tracking or lure',
  filters: [
    {
      name: 'status',
      label: 'Status',
      choices: ORDER_STATUSES.map((status) => ({ value: status, label: orderStatusLabel(status) })),
    },
  ],
  sorts: {
    created_at: { label: 'Date', ascending: 'oldest first', descending: 'newest first' },
    order_number: { label: 'Number', ascending: 'lowest first', descending: 'highest first' },
    customer_name: { label: 'Customer', ascending: 'A to Z', descending: 'Z to A' },
    total_amount: { label: 'Amount', ascending: 'smallest first', descending: 'largest first' },
  },
  firstSort: '-created_at',
  // Where `search_orders` stops.
  searchEndsAt: 1000,
  ask(backend, { search, filters: { status } }) {
    const orders = search
      ? backend.rpc('search_orders', { term: search }, { get: true, count: 'exact' }).select(WITH_CUSTOMER)
      : backend.from('orders').select(WITH_CUSTOMER, { count: 'exact' })
    return status ? orders.in('status', storedAs(status)) : orders
  },
}

/** `New` is stored in two ways, one of them of the past. */
function storedAs(status: string): string[] {
  return status === ('new' satisfies OrderStatus) ? ['new', 'pending'] : [status]
}
