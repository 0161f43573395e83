import { z } from 'zod'

import type { Given } from '#functions/_shared/given.ts'
import { requireOrder } from '#functions/_shared/order-access.ts'
import { answering, readInput } from '#functions/_shared/refusal.ts'

const inputSchema = z.object({ orderId: z.uuid() })

/**
 * Tells whether an order is paid. A notice that still waits for PayFast's word is asked about now; the
 * caller's word changes nothing.
 */
export const updateOrderStatus = answering<Given>(async (request, given) => {
  const { orderId } = await readInput(request, inputSchema)
  const order = await requireOrder(orderId, given)
  if (order.status === 'pending_payment') {
    await given.database.owner.query('select private.expedite_notices($1)', [order.id])
  }
  return Response.json({ success: true, status: order.status, paid: order.is_paid })
})
