import { queryBackend } from '#app/data/query-backend.ts'
import type { Toast } from '#app/ui/toast-stack.tsx'
import { orderStatusLabel } from '#domain/order-status.ts'
import { formatPhone } from '#domain/south-africa.ts'
import { numericDate } from '#app/ui/local-date.tsx'
import type { ListFile } from '../export/export-button.tsx'
import type { Returns } from '#database'
import type { StaffOrder } from '#domain/order.ts'
import { useToastMutation } from '#app/data/use-toast-mutation.ts'
import { runInBatches } from './run-in-batches.ts'

export type BulkResult = Returns<'set_order_statuses'>

/** The dialog lists the reason for each order. */
const NOTHING_DONE: Toast = { title: 'Nothing was changed', tone: 'destructive' }

/** `1 order`, `12 orders` */
export function orderCountText(orders: number): string {
  return `${orders} ${orders === 1 ? 'order' : 'orders'}`
}

export function useSetOrderStatuses() {
  return useToastMutation({
    mutationFn: ({ orders, status }: { orders: StaffOrder[]; status: string }) =>
      setOrderStatuses(orders, status),
    success: ({ status }, { done }) =>
      done.length > 0
        ? { title: `${orderCountText(done.length)} set to ${orderStatusLabel(status)}` }
        : NOTHING_DONE,
    invalidates: ['orders', 'order-money'],
  })
}

export function useBulkEmail() {
  return useToastMutation({
    mutationFn: ({ orders, ...email }: { orders: StaffOrder[]; subject: string; message: string }) =>
      callInBatches(orders, (batch) =>
        queryBackend((backend) => backend.rpc('email_buyers', { order_ids: idsOf(batch), ...email })),
      ),
    success: (_email, result) => bulkEmailToast(result),
    invalidates: ['order-mails'],
  })
}

export function bulkEmailToast({ done }: Pick<BulkResult, 'done'>): Toast {
  return done.length > 0
    ? { title: 'Email sent successfully' }
    : { title: 'No e-mail was sent', tone: 'destructive' }
}

/** Skips orders that no longer have the status that the user saw. */
export function setOrderStatuses(orders: StaffOrder[], status: string): Promise<BulkResult> {
  return callInBatches(orders, (batch) =>
    queryBackend((backend) =>
      backend.rpc('set_order_statuses', {
        order_ids: idsOf(batch),
        status,
        was: batch.map((order) => order.status),
      }),
    ),
  )
}

const idsOf = (orders: StaffOrder[]) => orders.map(({ id }) => id)

async function callInBatches(
  orders: StaffOrder[],
  act: (batch: StaffOrder[]) => Promise<BulkResult>,
): Promise<BulkResult> {
  const outcomes = await runInBatches(orders, act)
  return {
    done: outcomes.flatMap(({ done }) => done),
    skipped: outcomes.flatMap(({ skipped }) => skipped),
  }
}

export const ORDERS_FILE: ListFile<StaffOrder> = {
  name: 'orders.csv',
  columns: [
    ['Order', ({ number }) => number],
    ['Date', ({ createdAt }) => numericDate(createdAt)],
    ['Status', ({ status }) => orderStatusLabel(status)],
    ['Payment', ({ payment }) => payment],
    ['Customer', ({ customerName }) => customerName],
    ['Email', ({ customerEmail }) => customerEmail],
    ['Phone', ({ customerPhone }) => formatPhone(customerPhone ?? '')],
    ['Delivery', ({ shippingMethod }) => shippingMethod],
    ['Locker', ({ locker }) => locker],
    ['Address', ({ street }) => street],
    ['City', ({ city }) => city],
    ['Province', ({ province }) => province],
    ['Postal code', ({ postalCode }) => postalCode],
    ['Subtotal', ({ subtotalCents }) => rand(subtotalCents)],
    ['Shipping', ({ shippingCents }) => rand(shippingCents)],
    ['Discount', ({ discountCents }) => rand(discountCents)],
    ['Promo code', ({ promoCode }) => promoCode],
    ['Total', ({ totalCents }) => rand(totalCents)],
    ['Tracking', ({ trackingNumber }) => trackingNumber],
  ],
}

function rand(cents: number | null): string | null {
  return cents === null ? null : (cents / 100).toFixed(2)
}
