import { z } from 'zod'

import type { Given } from '#functions/_shared/given.ts'
import { composeOwnMail, composeReply, letterShape } from '#functions/_shared/own-mail.ts'
import { answering, readInput } from '#functions/_shared/refusal.ts'
import { requireStaff } from '#functions/_shared/staff.ts'

const inputSchema = z.union([
  z.object({ ...letterShape, submissionId: z.uuid() }),
  z.object({ ...letterShape, to: z.string().trim().toLowerCase(), orderId: z.uuid().nullish() }),
])

/** A mail of staff as the outbox would send it, in both parts. Nothing is changed and nothing goes out. */
export const previewOwnMail = answering<Given>(async (request, given) => {
  await requireStaff(given)
  const input = await readInput(request, inputSchema)
  const { recipient, props } =
    'submissionId' in input ? await composeReply(given, input) : await composeOwnMail(given, input)
  const { renderMail } = await import('#emails/render-mail.ts')
  const { subject, html, text } = await renderMail('admin-email', props, given.publicUrl)
  return Response.json({ to: recipient, subject, html, text })
})
