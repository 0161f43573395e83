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
 * An order the caller may act for: their own, or any for an admin and for the secret key. A stranger's
 * order and none at all are the same answer.
 */
export async function requireOrder(orderId: string, { caller, database }: Given): Promise<ReachedOrder> {
  const order = await findOrder(orderId, { caller, database })
  if (!order) throw new Refusal(404, 'order_not_found', 'There is no such order.')
  return order
}

async function findOrder(orderId: string, { caller, database }: Pick<Given, 'caller' | 'database'>) {
  const { rows } = await database.owner.query<ReachedOrder>(
    `select id, order_number, status, total_amount, customer_name, customer_email, customer_phone,
            paid_at is not null as is_paid
     from public.orders
     where id = $1 and placed_at is not null
       and ($3 or customer_id = $2
            or exists (select from public.user_roles where user_id = $2 and role = 'admin'))`,
    [orderId, caller.userId, caller.role === 'service_role'],
  )
  return rows[0]
}
