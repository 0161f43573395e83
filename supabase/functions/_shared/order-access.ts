import { isStaff } from './staff.ts'
import type { Given } from './given.ts'
import { Refusal } from './refusal.ts'

export interface ReachedOrder {
  id: string
  order_number: number
  status: string
  total_amount: string
  customer_name: string | null
  customer_email: string | null
  customer_phone: string | null
  is_paid: boolean
}

/**
 * An order the caller may act for: their own, or any for who works here and for the secret key. A stranger's
 * order and none at all are the same answer.
 */
export async function requireOrder(orderId: string, given: Given): Promise<ReachedOrder> {
  const { caller, database } = given
  const { rows } = await database.owner.query<ReachedOrder>(
    `select id, order_number, status, total_amount, customer_name, customer_email, customer_phone,
            paid_at is not null as is_paid
     from public.orders
     where id = $1 and placed_at is not null and ($3 or customer_id = $2)`,
    [orderId, caller.userId, await isStaff(given)],
  )
  const [order] = rows
  if (!order) throw new Refusal(404, 'order_not_found', 'There is no such order.')
  return order
}
