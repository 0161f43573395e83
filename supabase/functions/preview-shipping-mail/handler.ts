import { z } from 'zod'

import { requireStaff } from '#functions/_shared/staff.ts'
import type { Given } from '#functions/_shared/given.ts'
import { requireOrder } from '#functions/_shared/order-access.ts'
import { answering, readInput, Refusal } from '#functions/_shared/refusal.ts'

const inputSchema = z.object({
  orderId: z.uuid(),
  trackingNumber: z.string().trim().min(1).max(100),
  courierId: z.uuid(),
})

/** The mail that shipping an order would send, written as the outbox would write it. Nothing is changed and nothing goes out. */
export const previewShippingMail = answering<Given>(async (request, given) => {
  await requireStaff(given)
  const { orderId, trackingNumber, courierId } = await readInput(request, inputSchema)
  const order = await requireOrder(orderId, given)
  if (!order.is_paid) throw new Refusal(409, 'order_not_paid', 'This order is not paid yet.')

  const { rows } = await given.database.owner.query<{ props: unknown }>(
    'select private.shipped_order_for_mail($1, $2, $3) as props',
    [order.id, trackingNumber, courierId],
  )
  const { renderMail } = await import('#emails/render-mail.ts')
  const { subject, html, text } = await renderMail('order-status-update', rows[0]?.props, given.publicUrl)
  return Response.json({ to: order.customer_email, subject, html, text })
})
