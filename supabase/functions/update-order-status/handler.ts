import { z } from 'zod'

import { requireOrder } from '#functions/_shared/order-access.ts'
import { withErrorResponse, readInput } from '#functions/_shared/function-error.ts'

const inputSchema = z.object({ orderId: z.uuid() })

/**
 * Returns whether an order is paid. Schedules an immediate check of a notice that PayFast has not confirmed yet; the caller cannot
 * change the status.
 */
export const updateOrderStatus = withErrorResponse<'update-order-status'>(async (request, context) => {
  const { orderId } = await readInput(request, inputSchema)
  const order = await requireOrder(orderId, context)
  if (order.status === 'pending_payment') {
    await context.database.owner.query('select private.expedite_notices($1)', [order.id])
  }
  return { success: true, status: order.status, paid: order.paidAt !== null }
})
