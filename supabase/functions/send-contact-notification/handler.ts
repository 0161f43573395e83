import { z } from 'zod'

import { withErrorResponse, readInput, FunctionError } from '#functions/_shared/function-error.ts'

const inputSchema = z.object({
  name: z.string().trim(),
  email: z.string().trim(),
  subject: z.string().trim(),
  message: z.string().trim(),
})

/** Queues the shop's notification of a contact message that was saved within the last hour. Idempotent. */
export const sendContactNotification = withErrorResponse<'send-contact-notification'>(
  async (request, { database }) => {
    const { name, email, subject, message } = await readInput(request, inputSchema)
    const { rowCount } = await database.owner.query(
      `select private.queue_contact_mail(c) from public.contact_submissions c
     where lower(c.email) = lower($1) and btrim(c.name) = $2 and btrim(c.subject) = $3
       and replace(btrim(c.message), E'\\r\\n', E'\\n') = replace($4, E'\\r\\n', E'\\n')
       and c.created_at > now() - interval '1 hour'
     order by c.created_at desc limit 1`,
      [email, name, subject, message],
    )
    if (rowCount === 0) throw new FunctionError(404, 'message_not_found', 'There is no such message.')
    return { success: true }
  },
)
