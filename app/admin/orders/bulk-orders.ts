import { queryBackend } from '#app/data/query-backend.ts'
import type { Toast } from '#app/ui/toast-stack.tsx'
import { centsFromRand } from '#domain/money.ts'
import { orderNumberText, orderStatusLabel } from '#domain/order-status.ts'
import { formatPhone } from '#domain/south-africa.ts'
import { numericDate } from '#app/ui/local-date.tsx'
import { csvText, saveCsv } from '../export/csv.ts'
import type { Returns } from '#database'
import { useToastMutation } from '../form/use-toast-mutation.ts'
import { runInBatches } from './run-in-batches.ts'
import { customerEmail, customerName, paymentState, type Order } from './order.ts'

export type BulkResult = Returns<'set_order_statuses'>

/** The dialog lists the reason for each order. */
const NOTHING_DONE: Toast = { title: 'Nothing was changed', tone: 'destructive' }

/** `1 order`, `12 orders` */
export function orderCountText(orders: number): string {
  return `${orders} ${orders === 1 ? 'order' : 'orders'}`
}

export function useSetOrderStatuses() {
  return useToastMutation({
    mutationFn: ({ orders, status }: { orders: Order[]; status: string }) =>
      callInBatches(orders, (order_ids) =>
        queryBackend((backend) => backend.rpc('set_order_statuses', { order_ids, status })),
      ),
    success: ({ status }, { done }) =>
      done.length > 0
        ? { title: `${orderCountText(done.length)} set to ${orderStatusLabel(status)}` }
        : NOTHING_DONE,
    invalidates: ['orders'],
  })
}

export function useBulkEmail() {
  return useToastMutation({
    mutationFn: ({ orders, ...email }: { orders: Order[]; subject: string; message: string }) =>
      callInBatches(orders, (order_ids) =>
        queryBackend((backend) => backend.rpc('email_buyers', { order_ids, ...email })),
      ),
    success: (_email, { done }) => (done.length > 0 ? { title: 'Email sent successfully' } : NOTHING_DONE),
    invalidates: ['orders'],
  })
}

async function callInBatches(
  orders: Order[],
  act: (ids: string[]) => Promise<BulkResult>,
): Promise<BulkResult> {
  const outcomes = await runInBatches(
    orders.map(({ id }) => id),
    act,
  )
  return {
    done: outcomes.flatMap(({ done }) => done),
    skipped: outcomes.flatMap(({ skipped }) => skipped),
  }
}

const HEADER = [
  'Order',
  'Date',
  'Status',
  'Payment',
  'Customer',
  'Email',
  'Phone',
  'Delivery',
  'Locker',
  'Address',
  'City',
  'Province',
  'Postal code',
  'Subtotal',
  'Shipping',
  'Discount',
  'Promo code',
  'Total',
  'Tracking',
]

export function exportOrders(orders: Order[]): void {
  saveCsv('orders.csv', csvText(HEADER, orders.map(csvCells)))
}

function csvCells(order: Order): string[] {
  return [
    orderNumberText(order.order_number),
    numericDate(order.created_at),
    orderStatusLabel(order.status),
    paymentState(order),
    customerName(order) ?? '',
    customerEmail(order) ?? '',
    formatPhone(order.customer_phone ?? ''),
    order.shipping_method ?? '',
    order.locker_location ?? '',
    order.shipping_address ?? '',
    order.shipping_city ?? '',
    order.shipping_state ?? '',
    order.shipping_zip ?? '',
    rand(order.subtotal_amount),
    rand(order.shipping_cost),
    rand(order.discount_amount),
    order.promo_code ?? '',
    rand(order.total_amount),
    order.tracking_number ?? '',
  ]
}

function rand(amount: number | null): string {
  return amount === null ? '' : (centsFromRand(amount) / 100).toFixed(2)
}
