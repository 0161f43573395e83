import { z } from 'zod'

import type { Given } from '#functions/_shared/given.ts'
import { answering, readInput, Refusal } from '#functions/_shared/refusal.ts'

const inputSchema = z.object({
  name: z.string().trim(),
  email: z.string().trim(),
  subject: z.string().trim(),
  message: z.string().trim(),
})

/** Makes sure that the shop hears of a message. It must have been written to the table just before. */
export const sendContactNotification = answering<Given>(async (request, { database }) => {
  const { name, email, subject, message } = await readInput(request, inputSchema)
  const { rowCount } = await database.owner.query(
    `select private.queue_contact_mail(c) from public.contact_submissions c
     where lower(c.email) = lower($1) and btrim(c.name) = $2 and btrim(c.subject) = $3
       and replace(btrim(c.message), E'\\r\\n', E'\\n') = replace($4, E'\\r\\n', E'\\n')
       and c.created_at > now() - interval '1 hour'
     order by c.created_at desc limit 1`,
    [email, name, subject, message],
  )
  if (rowCount === 0) throw new Refusal(404, 'message_not_found', 'There is no such message.')
  return Response.json({ success: true })
})
