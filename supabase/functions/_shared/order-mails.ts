import type { FunctionContext } from './function-context.ts'
import { requireOrder } from './order-access.ts'
import { FunctionError } from './function-error.ts'

/** Queues both mails of a paid order unless they are queued or sent already (idempotent). */
export async function requestOrderMails(
  orderId: string,
  context: FunctionContext,
): Promise<{ success: true }> {
  const order = await requireOrder(orderId, context)
  if (!order.paidAt) {
    throw new FunctionError(
      409,
      'order_not_paid',
      'This order is not paid yet. Its e-mails are sent once it is paid.',
    )
  }
  await context.database.owner.query('select private.queue_order_mails($1)', [order.id])
  return { success: true }
}
