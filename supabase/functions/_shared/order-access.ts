import { asCaller } from '#backend/http/caller.ts'
import type { Database } from '#backend/database/pool.ts'
import type { Tables } from '#database'
import type { Given } from './given.ts'
import { Refusal } from './refusal.ts'

type Asked = Pick<Given, 'caller' | 'database'>

export type ReachedOrder = Pick<
  Tables<'orders'>,
  'id' | 'order_number' | 'status' | 'customer_name' | 'customer_email' | 'customer_phone'
> & {
  total_amount: string
  /** What a buyer who pays now is asked for: the total, or the rest after a payment that was too little. */
  amount_due: string
  is_paid: boolean
}

/**
 * An order the caller may act for. Row-level security decides, as it does for `/rest`: the caller's own, any for staff and for the
 * secret key, and none in a session that has not shown the second factor. A stranger's order and none at all are the same answer.
 */
export async function requireOrder(orderId: string, { caller, database }: Given): Promise<ReachedOrder> {
  const order = (await isVisible(orderId, { caller, database })) ? await readOrder(orderId, database) : null
  if (!order) throw new Refusal(404, 'order_not_found', 'There is no such order.')
  return order
}

async function isVisible(orderId: string, { caller, database }: Asked): Promise<boolean> {
  // Visitors have no right to the table at all.
  if (caller.role === 'anon') return false
  const { rowCount } = await asCaller(
    database,
    caller,
    (client) => client.query('select id from public.orders where id = $1', [orderId]),
    { isReadOnly: true },
  )
  return rowCount === 1
}

async function readOrder(orderId: string, { owner }: Database): Promise<ReachedOrder | null> {
  const { rows } = await owner.query<ReachedOrder>(
    `select id, order_number, status, total_amount, private.amount_due(id) as amount_due, customer_name, customer_email, customer_phone,
            paid_at is not null as is_paid
     from public.orders where id = $1 and placed_at is not null`,
    [orderId],
  )
  return rows[0] ?? null
}
