import { z } from 'zod'

import type { FunctionContext } from '#functions/_shared/function-context.ts'
import { composeOwnMail, composeReply, ownMailShape } from '#functions/_shared/own-mail.ts'
import { withErrorResponse, readInput } from '#functions/_shared/function-error.ts'
import { requireStaff } from '#functions/_shared/staff.ts'

const inputSchema = z.union([
  z.object({ ...ownMailShape, submissionId: z.uuid() }),
  z.object({ ...ownMailShape, to: z.string().trim().toLowerCase(), orderId: z.uuid().nullish() }),
])

/** Renders a mail from staff, as HTML and text, without sending it. */
export const previewOwnMail = withErrorResponse<FunctionContext>(async (request, context) => {
  await requireStaff(context)
  const input = await readInput(request, inputSchema)
  const { recipient, props } =
    'submissionId' in input ? await composeReply(context, input) : await composeOwnMail(context, input)
  const { renderMail } = await import('#emails/render-mail.ts')
  const { subject, html, text } = await renderMail('admin-email', props, context.publicUrl)
  return Response.json({ to: recipient, subject, html, text })
})
