import { z } from 'zod'
import { centsFromRand } from '#domain/money.ts'
import { orderRowSchema } from '#domain/order-row.ts'
import { orderView } from '#domain/order.ts'
import { asCaller, type DatabasePools, selectRows } from '@saltfreak/backend'
import type { FunctionContext } from './function-context.ts'
import { FunctionError } from './function-error.ts'

type CallerContext = Pick<FunctionContext, 'caller' | 'database'>

const rowSchema = z.object({
  order: orderRowSchema,
  /** What the buyer still has to pay: the total, or the rest after a short payment. */
  amount_due: z.string(),
})

/**
 * Returns an order that row-level security lets the caller read, as for `/rest`: the caller's own, or any for staff and the secret key.
 * Throws 404 for others' orders too, so that order ids cannot be probed.
 */
export async function requireOrder(orderId: string, { caller, database }: FunctionContext) {
  const order = (await isVisible(orderId, { caller, database })) ? await readOrder(orderId, database) : null
  if (!order) throw new FunctionError(404, 'order_not_found', 'There is no such order.')
  return order
}

async function isVisible(orderId: string, { caller, database }: CallerContext): Promise<boolean> {
  // Visitors have no grant on the table; the query would fail.
  if (caller.role === 'anon') return false
  const { rowCount } = await asCaller(
    database,
    caller,
    (client) => client.query('select id from public.orders where id = $1', [orderId]),
    { isReadOnly: true },
  )
  return rowCount === 1
}

async function readOrder(orderId: string, { owner }: DatabasePools) {
  const [row] = await selectRows(owner, rowSchema, [
    `select to_jsonb(orders) as "order", private.amount_due(id) as amount_due
     from public.orders where id = $1 and placed_at is not null`,
    orderId,
  ])
  return row ? { ...orderView(row.order), dueCents: centsFromRand(row.amount_due) } : null
}
