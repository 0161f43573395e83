import type { Given } from './given.ts'
import { requireOrder } from './order-access.ts'
import { Refusal } from './refusal.ts'

/** Makes sure that both mails of a paid order are in the outbox. They usually are already: asking twice sends nothing twice. */
export async function requestOrderMails(orderId: string, given: Given): Promise<Response> {
  const order = await requireOrder(orderId, given)
  if (!order.is_paid) {
    throw new Refusal(409, 'order_not_paid', 'This order is not paid yet: its mails go out once it is.')
  }
  await given.database.owner.query('select private.queue_order_mails($1)', [order.id])
  return Response.json({ success: true })
}
