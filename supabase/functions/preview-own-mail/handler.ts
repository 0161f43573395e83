import { z } from 'zod'

import { composeStaffEmail, composeReply, staffEmailShape } from '#functions/_shared/staff-email.ts'
import { withErrorResponse, readInput } from '#functions/_shared/function-error.ts'
import { requireStaff } from '#functions/_shared/staff.ts'

const inputSchema = z.union([
  z.object({ ...staffEmailShape, submissionId: z.uuid() }),
  z.object({ ...staffEmailShape, to: z.string().trim().toLowerCase(), orderId: z.uuid().nullish() }),
])

/** Renders a mail from staff, as HTML and text, without sending it. */
export const previewStaffEmail = withErrorResponse<'preview-own-mail'>(async (request, context) => {
  await requireStaff(context)
  const input = await readInput(request, inputSchema)
  const { recipient, props } =
    'submissionId' in input ? await composeReply(context, input) : await composeStaffEmail(context, input)
  const { renderMail } = await import('#emails/render-mail.ts')
  const { subject, html, text } = await renderMail('admin-email', props, context.publicUrl)
  return { to: recipient, subject, html, text }
})
