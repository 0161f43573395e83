import { z } from 'zod'

import { requireStaff } from '#functions/_shared/staff.ts'
import type { Given } from '#functions/_shared/given.ts'
import { requireOrder } from '#functions/_shared/order-access.ts'
import { answering, readInput, Refusal } from '#functions/_shared/refusal.ts'

/** As the specified admin page sends it; the mail is made from the order's row. */
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

/** Makes sure that the customer hears of the order's last step, once. */
export const sendOrderStatusUpdate = answering<Given>(async (request, given) => {
  await requireStaff(given)
  const { orderId, status } = await readInput(request, inputSchema)
  const order = await requireOrder(orderId, given)
  if (!order.is_paid) throw new Refusal(409, 'order_not_paid', 'This order is not paid yet.')
  if (status && status !== order.status) {
    throw new Refusal(
      409,
      'status_differs',
      `This order is ${order.status}, not ${status}. No mail was sent.`,
    )
  }
  await given.database.owner.query('select private.queue_status_mail($1)', [order.id])
  return Response.json({ success: true })
})
