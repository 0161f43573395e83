import type { BrowserClient } from '#database'
import { ORDER_STATUSES, orderStatusLabel, type OrderStatus } from '#domain/order-status.ts'
import { HAND_OVER, shippingMethodLabel } from '#domain/shipping-method.ts'
import { PROVINCES } from '#domain/south-africa.ts'
import { REFUND_TASK_COLUMNS, STAFF_ORDER_COLUMNS, listedOrder, type StaffOrderRow } from '#domain/order.ts'
import {
  type List,
  type ListFilter,
  type ListQuery,
  type ListCriteria,
  choicesOf,
  searchLimit,
} from '../list/list.ts'

const LATE_AFTER_DAYS = 3
/** Time on the road and in the locker. The courier returns parcels that are not collected. */
const LOCKER_DAYS = 5
const DAY_MS = 86_400_000
/** `search_orders` has to find every row before it can return the first page. */
const SEARCH_LIMIT = 150

export const ORDERS: List<StaffOrderRow> = {
  name: 'orders',
  title: 'Orders',
  noun: { singular: 'order', plural: 'orders' },
  idOf: ({ id }) => id,
  nameOf: (row) => `order #${listedOrder(row).number}`,
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
      choices: choicesOf({ earned: 'Paid, not cancelled', paid: 'Paid', unpaid: 'Not paid' }),
    },
    { name: 'refund', label: 'Refund', choices: choicesOf({ due: 'Cancelled, to refund' }) },
    { name: 'province', label: 'Province', choices: PROVINCES.map((name) => ({ value: name, label: name })) },
    {
      name: 'delivery',
      label: 'Delivery',
      choices: choicesOf({
        locker: 'Locker',
        'door-to-door': 'Door to door',
        [HAND_OVER]: shippingMethodLabel(HAND_OVER),
      }),
    },
    {
      name: 'late',
      label: 'Late',
      choices: choicesOf({ yes: `Paid over ${LATE_AFTER_DAYS} days ago, not shipped` }),
    },
    {
      name: 'uncollected',
      label: 'Not collected',
      choices: choicesOf({ yes: `In a locker ${LOCKER_DAYS} days` }),
    },
    {
      name: 'client',
      label: 'Client',
      labelFor: (id) => (/^[\da-f-]{36}$/.test(id) ? 'only this one' : null),
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

/** The views that every staff member sees. Payment issues have their own page. */
export const ORDER_VIEWS = [
  { name: 'To make', address: '?status=new' },
  { name: 'To ship', address: '?status=processing' },
  { name: 'Awaiting payment', address: '?status=pending_payment' },
  { name: 'Late', address: '?late=yes' },
  { name: 'To refund', address: '?refund=due' },
  { name: 'On the way', address: '?status=shipped' },
  { name: 'Locker not collected', address: '?uncollected=yes' },
]

/** Packers see no refunds. */
export const PACKER_VIEWS = ORDER_VIEWS.filter(({ name }) => name !== 'To refund')

function dayFilter(name: string, label: string): ListFilter {
  return { name, label, labelFor: (value) => (/^\d{4}-\d\d-\d\d$/.test(value) ? value : null) }
}

/** Replaces the client's own builder type, whose nesting exceeds TypeScript's depth limit. */
interface FilterableQuery extends ListQuery<StaffOrderRow> {
  filter: (column: string, operator: string, value: unknown) => unknown
}

type Condition = [column: string, operator: string, value: unknown]

function buildOrdersQuery(backend: BrowserClient, criteria: ListCriteria): ListQuery<StaffOrderRow> {
  const { search, filters } = criteria
  // An inner join without columns keeps only the orders that have a matching row.
  const isOfLure = filters.lure !== undefined || filters.colour !== undefined
  const columns: string = [
    STAFF_ORDER_COLUMNS,
    filters.refund ? REFUND_TASK_COLUMNS.replace('(', '!inner(') : REFUND_TASK_COLUMNS,
    isOfLure && 'order_items!inner()',
    filters.uncollected && 'order_events!inner(), later_step:order_events()',
  ]
    .filter(Boolean)
    .join(', ')
  const at_most = searchLimit(ORDERS, criteria)
  const orders: FilterableQuery = search
    ? backend
        .rpc('search_orders', { term: search, at_most }, { get: true, count: 'exact' })
        .select<string, StaffOrderRow>(columns)
    : backend.from('orders').select<string, StaffOrderRow>(columns, { count: 'estimated' })
  for (const condition of conditionsOf(filters)) orders.filter(...condition)
  return orders
}

function conditionsOf(filters: ListCriteria['filters']): Condition[] {
  const { status, payment, refund, province, delivery, late, uncollected, client, lure, colour } = filters
  const { paid_from: from, paid_to: to } = filters
  return [
    ...conditionIf(status, (value) => ['status', 'in', storedStatuses(value)]),
    ...conditionIf(payment, (value) => ['paid_at', value === 'unpaid' ? 'is' : 'not.is', null]),
    ...conditionIf(payment === 'earned', () => ['status', 'neq', 'cancelled']),
    ...conditionIf(refund, () => ['refund_tasks.is_open', 'eq', true]),
    ...conditionIf(province, (value) => ['shipping_state', 'eq', value]),
    ...conditionIf(delivery, (value) => ['shipping_method', 'eq', value]),
    ...conditionIf(late, () => ['status', 'in', '(new,pending,processing)']),
    ...conditionIf(late, () => ['paid_at', 'lt', daysAgo(LATE_AFTER_DAYS)]),
    ...conditionIf(uncollected, () => ['status', 'eq', 'shipped']),
    ...conditionIf(uncollected, () => ['shipping_method', 'eq', 'locker']),
    ...conditionIf(uncollected, () => ['order_events.detail->>to', 'eq', 'shipped']),
    ...conditionIf(uncollected, () => ['order_events.created_at', 'lt', daysAgo(LOCKER_DAYS)]),
    // A parcel that was shipped again, or under another number, is on the road again.
    ...conditionIf(uncollected, () => ['later_step.kind', 'in', '(status_changed,tracking_changed)']),
    ...conditionIf(uncollected, () => ['later_step.created_at', 'gte', daysAgo(LOCKER_DAYS)]),
    ...conditionIf(uncollected, () => ['later_step', 'is', null]),
    ...conditionIf(client, (id) => ['customer_id', 'eq', id]),
    ...conditionIf(lure, (value) => ['order_items.product_name', 'eq', value]),
    ...conditionIf(colour, (value) => ['order_items.product_variant', 'eq', value]),
    ...conditionIf(from, (day) => ['paid_at', 'gte', startOf(day)]),
    ...conditionIf(to, (day) => ['paid_at', 'lt', startOf(day, 1)]),
  ]
}

function conditionIf<Value>(
  value: Value | false | undefined,
  condition: (value: Value) => Condition,
): Condition[] {
  return value === undefined || value === false ? [] : [condition(value)]
}

/** Orders with the legacy status `pending` count as new. */
function storedStatuses(status: string): string {
  return status === ('new' satisfies OrderStatus) ? '(new,pending)' : `(${status})`
}

/** Rounded down to the hour, so that the query key stays the same and the cache is used. */
function daysAgo(days: number): string {
  const hour = Math.floor(Date.now() / 3_600_000) * 3_600_000
  return new Date(hour - days * DAY_MS).toISOString()
}

/** The instant at which a day begins, or the day after it. South Africa has no daylight saving time. */
function startOf(day: string, daysLater = 0): string {
  return new Date(Date.parse(`${day}T00:00:00+02:00`) + daysLater * DAY_MS).toISOString()
}
