import { selectRow } from '@saltfreak/backend'
import { z } from 'zod'

import { requireStaff } from '#functions/_shared/staff.ts'
import { requireOrder } from '#functions/_shared/order-access.ts'
import { withErrorResponse, readInput, FunctionError } from '#functions/_shared/function-error.ts'

const inputSchema = z.object({
  orderId: z.uuid(),
  trackingNumber: z.string().trim().min(1).max(100),
  courierId: z.uuid(),
})

const mailRow = z.object({ props: z.unknown() })

/** Renders the mail that shipping the order would send, without sending it. */
export const previewShippingMail = withErrorResponse<'preview-shipping-mail'>(async (request, context) => {
  await requireStaff(context)
  const { orderId, trackingNumber, courierId } = await readInput(request, inputSchema)
  const order = await requireOrder(orderId, context)
  if (!order.paidAt) throw new FunctionError(409, 'order_not_paid', 'This order is not paid yet.')

  const { props } = await selectRow(context.database.owner, mailRow, [
    'select private.shipped_order_for_mail($1, $2, $3) as props',
    order.id,
    trackingNumber,
    courierId,
  ])
  const { renderMail } = await import('#emails/render-mail.ts')
  const { subject, html, text } = await renderMail('order-status-update', props, context.publicUrl)
  return { to: order.customerEmail, subject, html, text }
})
