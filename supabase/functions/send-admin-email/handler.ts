import { createHash } from 'node:crypto'

import { z } from 'zod'

import { queueMail } from '#emails/outbox/queue-mail.ts'
import { composeStaffEmail, staffEmailShape } from '#functions/_shared/staff-email.ts'
import { withErrorResponse, readInput } from '#functions/_shared/function-error.ts'
import { requireStaff } from '#functions/_shared/staff.ts'

const inputSchema = z.object({
  to: z.string().trim().toLowerCase(),
  ...staffEmailShape,
  orderId: z.uuid().nullish(),
})

/**
 * Queues a mail from staff to an address that the shop knows. The same text is sent at most once a day about the same order, so that a
 * repeated request sends nothing (`isDuplicate`). With `orderId` the mail appears on the order's timeline.
 */
export const sendAdminEmail = withErrorResponse<'send-admin-email'>(async (request, context) => {
  await requireStaff(context)
  const { to, subject, message, orderId } = await readInput(request, inputSchema)
  const { recipient, props } = await composeStaffEmail(context, { to, subject, message, orderId })

  const day = new Date().toISOString().slice(0, 10)
  const fingerprint = createHash('sha256')
    .update(JSON.stringify([to, subject, message, orderId]))
    .digest('hex')
  const isQueued = await queueMail(context.database.owner, {
    key: `admin-email:${day}:${fingerprint}`,
    template: 'admin-email',
    recipient,
    props,
  })
  return { success: true, isDuplicate: !isQueued }
})
