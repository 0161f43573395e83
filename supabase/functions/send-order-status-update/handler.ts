import { z } from 'zod'

import { requireStaff } from '#functions/_shared/staff.ts'
import { requireOrder } from '#functions/_shared/order-access.ts'
import { withErrorResponse, readInput, FunctionError } from '#functions/_shared/function-error.ts'

/** The input that the specification prescribes; the mail's content comes from the order's row. */
const inputSchema = z.object({
  orderId: z.uuid(),
  status: z.string().nullish(),
  customerEmail: z.string().nullish(),
  customerName: z.string().nullish(),
  orderNumber: z.union([z.number(), z.string()]).nullish(),
  trackingNumber: z.string().nullish(),
  courierCompany: z.string().nullish(),
  courierContact: z.string().nullish(),
  orderItems: z.array(z.unknown()).nullish(),
  totalAmount: z.number().nullish(),
  shippingAddress: z.unknown().optional(),
})

/** Queues the mail about the order's current status, once per status. */
export const sendOrderStatusUpdate = withErrorResponse<'send-order-status-update'>(
  async (request, context) => {
    await requireStaff(context)
    const { orderId, status } = await readInput(request, inputSchema)
    const order = await requireOrder(orderId, context)
    if (!order.paidAt) throw new FunctionError(409, 'order_not_paid', 'This order is not paid yet.')
    if (status && status !== order.status) {
      throw new FunctionError(
        409,
        'status_differs',
        `This order is ${order.status}, not ${status}. No e-mail was sent.`,
      )
    }
    await context.database.owner.query('select private.queue_status_mail($1)', [order.id])
    return { success: true }
  },
)
