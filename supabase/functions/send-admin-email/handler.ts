import { createHash } from 'node:crypto'

import { z } from 'zod'

import { queueMail } from '#emails/outbox/queue-mail.ts'
import type { Given } from '#functions/_shared/given.ts'
import { composeOwnMail, letterShape } from '#functions/_shared/own-mail.ts'
import { answering, readInput } from '#functions/_shared/refusal.ts'
import { requireStaff } from '#functions/_shared/staff.ts'

const inputSchema = z.object({
  to: z.string().trim().toLowerCase(),
  ...letterShape,
  customerName: z.string().max(200).nullish(),
  orderId: z.uuid().nullish(),
})

/**
 * Staff write to an address that the shop knows; no other can be reached. The same words go out once a day. With an order's id the mail
 * stands on that order's timeline.
 */
export const sendAdminEmail = answering<Given>(async (request, given) => {
  await requireStaff(given)
  const { to, subject, message, customerName, orderId } = await readInput(request, inputSchema)
  const { recipient, props } = await composeOwnMail(given, { to, subject, message, orderId })

  const day = new Date().toISOString().slice(0, 10)
  const words = createHash('sha256')
    .update(JSON.stringify([to, { subject, message, customerName }]))
    .digest('hex')
  await queueMail(given.database.owner, {
    key: `admin-email:${day}:${words}`,
    template: 'admin-email',
    recipient,
    props,
  })
  return Response.json({ success: true })
})
