import type { ShopClient } from '#database'
import { ORDER_STATUSES, orderNumberText, orderStatusLabel, type OrderStatus } from '#domain/order-status.ts'
import { HAND_OVER, shippingMethodLabel } from '#domain/shipping-method.ts'
import { PROVINCES } from '#domain/south-africa.ts'
import type { List, ListFilter, ListQuery, ListCriteria } from '../list/list.ts'
import { REFUND_TASK_COLUMNS, ORDER_WITH_CUSTOMER, type Order } from './order.ts'

const LATE_AFTER_DAYS = 3
/** On the road and in the locker; a parcel that nobody took goes back. */
const LOCKER_DAYS = 5
const DAY_MS = 86_400_000
/** Where `search_orders` stops when nothing else narrows it: three pages, of which each row has to be found before the first is shown. */
const SEARCH_LIMIT = 150
const NO_LIMIT = 1_000_000

export const ORDERS: List<Order> = {
  name: 'orders',
  title: 'Orders',
  things: { one: 'order', many: 'orders' },
  idOf: ({ id }) => id,
  nameOf: ({ order_number }) => `order #${orderNumberText(order_number)}`,
  searchPlaceholder: 'Number, name, e-mail, phone, tracking or lure',
  filters: [
    {
      name: 'status',
      label: 'Status',
      choices: ORDER_STATUSES.map((status) => ({ value: status, label: orderStatusLabel(status) })),
    },
    {
      name: 'payment',
      label: 'Payment',
      choices: [
        { value: 'earned', label: 'Paid, not cancelled' },
        { value: 'paid', label: 'Paid' },
        { value: 'unpaid', label: 'Not paid' },
      ],
    },
    {
      name: 'refund',
      label: 'Refund',
      choices: [{ value: 'due', label: 'Cancelled, to refund' }],
    },
    { name: 'province', label: 'Province', choices: PROVINCES.map((name) => ({ value: name, label: name })) },
    {
      name: 'delivery',
      label: 'Delivery',
      choices: [
        { value: 'locker', label: 'Locker' },
        { value: 'door-to-door', label: 'Door to door' },
        { value: HAND_OVER, label: shippingMethodLabel(HAND_OVER) },
      ],
    },
    {
      name: 'late',
      label: 'Late',
      choices: [{ value: 'yes', label: `Paid over ${LATE_AFTER_DAYS} days ago, not shipped` }],
    },
    {
      name: 'uncollected',
      label: 'Not collected',
      choices: [{ value: 'yes', label: `In a locker ${LOCKER_DAYS} days` }],
    },
    { name: 'lure', label: 'Lure' },
    { name: 'colour', label: 'Colour' },
    dayFilter('paid_from', 'Paid from'),
    dayFilter('paid_to', 'Paid until'),
  ],
  sorts: {
    created_at: { label: 'Date', ascending: 'oldest first', descending: 'newest first' },
    order_number: { label: 'Number', ascending: 'lowest first', descending: 'highest first' },
    customer_name: { label: 'Customer', ascending: 'A to Z', descending: 'Z to A' },
    total_amount: { label: 'Amount', ascending: 'smallest first', descending: 'largest first' },
  },
  defaultSort: '-created_at',
  searchEndsAt: SEARCH_LIMIT,
  buildQuery: buildOrdersQuery,
}

/** What stands above the list for everybody. What needs a decision about money has a page of its own. */
export const ORDER_VIEWS = [
  { name: 'To make', address: '?status=new' },
  { name: 'To ship', address: '?status=processing' },
  { name: 'Awaiting payment', address: '?status=pending_payment' },
  { name: 'Late', address: '?late=yes' },
  { name: 'To refund', address: '?refund=due' },
  { name: 'On the way', address: '?status=shipped' },
  { name: 'Locker not collected', address: '?uncollected=yes' },
]

function dayFilter(name: string, label: string): ListFilter {
  return { name, label, labelFor: (value) => (/^\d{4}-\d\d-\d\d$/.test(value) ? value : null) }
}

/** A call narrows itself and returns itself; the client's own type of the second is deeper than the compiler goes. */
interface Narrowable extends ListQuery<Order> {
  filter: (column: string, operator: string, value: unknown) => unknown
}

type Condition = [column: string, operator: string, value: unknown]

function buildOrdersQuery(backend: ShopClient, { search, filters }: ListCriteria): ListQuery<Order> {
  // Asked for nothing but being there, which narrows the orders to those that have such.
  const isOfLure = filters.lure !== undefined || filters.colour !== undefined
  const columns: string = [
    ORDER_WITH_CUSTOMER,
    filters.refund ? REFUND_TASK_COLUMNS.replace('(', '!inner(') : REFUND_TASK_COLUMNS,
    isOfLure && 'order_items!inner()',
    filters.uncollected && 'order_events!inner()',
  ]
    .filter(Boolean)
    .join(', ')
  const conditions = conditionsOf(filters)
  const at_most = conditions.length > 0 ? NO_LIMIT : SEARCH_LIMIT
  const orders: Narrowable = search
    ? backend
        .rpc('search_orders', { term: search, at_most }, { get: true, count: 'exact' })
        .select<string, Order>(columns)
    : backend.from('orders').select<string, Order>(columns, { count: 'estimated' })
  for (const condition of conditions) orders.filter(...condition)
  return orders
}

function conditionsOf(filters: ListCriteria['filters']): Condition[] {
  const { status, payment, refund, province, delivery, late, uncollected, lure, colour } = filters
  const { paid_from: from, paid_to: to } = filters
  return [
    ...when(status, (wanted) => ['status', 'in', storedAs(wanted)]),
    ...when(payment, (wanted) => ['paid_at', wanted === 'unpaid' ? 'is' : 'not.is', null]),
    ...when(payment === 'earned', () => ['status', 'neq', 'cancelled']),
    ...when(refund, () => ['refund_tasks.is_open', 'eq', true]),
    ...when(province, (wanted) => ['shipping_state', 'eq', wanted]),
    ...when(delivery, (wanted) => ['shipping_method', 'eq', wanted]),
    ...when(late, () => ['status', 'in', '(new,pending,processing)']),
    ...when(late, () => ['paid_at', 'lt', daysAgo(LATE_AFTER_DAYS)]),
    ...when(uncollected, () => ['status', 'eq', 'shipped']),
    ...when(uncollected, () => ['shipping_method', 'eq', 'locker']),
    ...when(uncollected, () => ['order_events.detail->>to', 'eq', 'shipped']),
    ...when(uncollected, () => ['order_events.created_at', 'lt', daysAgo(LOCKER_DAYS)]),
    ...when(lure, (wanted) => ['order_items.product_name', 'eq', wanted]),
    ...when(colour, (wanted) => ['order_items.product_variant', 'eq', wanted]),
    ...when(from, (day) => ['paid_at', 'gte', startOf(day)]),
    ...when(to, (day) => ['paid_at', 'lt', startOf(day, 1)]),
  ]
}

function when<Value>(value: Value | false | undefined, condition: (value: Value) => Condition): Condition[] {
  return value === undefined || value === false ? [] : [condition(value)]
}

/** `New` is stored in two ways, one of them of the past. */
function storedAs(status: string): string {
  return status === ('new' satisfies OrderStatus) ? '(new,pending)' : `(${status})`
}

/** To the hour, so that the same question stays the same for a while. */
function daysAgo(days: number): string {
  const hour = Math.floor(Date.now() / 3_600_000) * 3_600_000
  return new Date(hour - days * DAY_MS).toISOString()
}

/** When a day begins, and with one more when it is over; South Africa has no summer time. */
function startOf(day: string, daysLater = 0): string {
  return new Date(Date.parse(`${day}T00:00:00+02:00`) + daysLater * DAY_MS).toISOString()
}
