import type { Tables } from '#database'
import { orderView } from '#domain/order.ts'
import type { RefundTask } from './refund-task.ts'

export const ORDER_WITH_CUSTOMER = '*, profiles(full_name, email, phone)'

/** Refunds due after a cancellation. Row-level security shows them to admins only. */
export const REFUND_TASK_COLUMNS = 'refund_tasks(id, order_id, amount, outstanding, opened_at, is_open)'

export type OrderWithCustomer = Tables<'orders'> & {
  profiles: Pick<Tables<'profiles'>, 'full_name' | 'email' | 'phone'> | null
  refund_tasks?: RefundTask[]
}

export type Order = ReturnType<typeof readOrder>

/** An order as staff see it. */
export function readOrder(row: OrderWithCustomer) {
  return {
    ...orderView(row),
    createdAt: row.created_at,
    customerId: row.customer_id,
    courierId: row.courier_company_id,
    delivery: deliveryOf(row),
    payment: paymentState(row),
    /** The refund that is still due, if the order was cancelled after its payment. */
    refundTask: row.refund_tasks?.find(({ is_open }) => is_open) ?? null,
  }
}

export type PaymentState = 'paid' | 'awaiting' | 'free' | 'unpaid'

function paymentState(order: Pick<OrderWithCustomer, 'total_amount' | 'paid_at' | 'status'>): PaymentState {
  if (order.total_amount === 0) return 'free'
  if (order.paid_at) return 'paid'
  return order.status === 'pending_payment' ? 'awaiting' : 'unpaid'
}

export type Delivery = ReturnType<typeof deliveryOf>

/** The columns that `change_delivery` compares, exactly as stored. */
function deliveryOf(row: OrderWithCustomer) {
  const { customer_name, customer_phone, shipping_method, locker_location } = row
  const { shipping_address, shipping_city, shipping_state, shipping_zip } = row
  return {
    customer_name,
    customer_phone,
    shipping_method,
    locker_location,
    shipping_address,
    shipping_city,
    shipping_state,
    shipping_zip,
  }
}
