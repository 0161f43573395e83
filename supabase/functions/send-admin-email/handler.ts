import { createHash } from 'node:crypto'

import { z } from 'zod'

import { queueMail } from '#emails/outbox/queue-mail.ts'
import { requireStaff } from '#functions/_shared/staff.ts'
import type { Given } from '#functions/_shared/given.ts'
import { answering, readInput, Refusal } from '#functions/_shared/refusal.ts'

const inputSchema = z.object({
  to: z.string().trim().toLowerCase(),
  subject: z
    .string()
    .trim()
    .regex(/^[^\p{Cc}]{1,200}$/u, 'must be one line of at most 200 characters'),
  message: z.string().trim().min(1).max(10_000),
  customerName: z.string().max(200).nullish(),
  orderId: z.uuid().nullish(),
})

/** Whom the shop knows by this address: somebody with an account, a buyer, or somebody who wrote by the contact form. */
const KNOWN = `
  select email, full_name from public.profiles where lower(email) = $1
  union all select customer_email, customer_name from public.orders where lower(customer_email) = $1
  union all select email, name from public.contact_submissions where lower(email) = $1
  limit 1`

/**
 * Somebody who works here writes to somebody the shop knows; nobody else can be reached. The same words go out once a day. With an
 * order's id the mail stands on that order's timeline.
 */
export const sendAdminEmail = answering<Given>(async (request, given) => {
  await requireStaff(given)
  const { to, orderId, ...letter } = await readInput(request, inputSchema)
  const { owner } = given.database
  const { rows } = await owner.query<{ email: string; full_name: string | null }>(KNOWN, [to])
  const [client] = rows
  if (!client) throw new Refusal(404, 'client_not_found', 'No client of the shop has this e-mail address.')

  const day = new Date().toISOString().slice(0, 10)
  const words = createHash('sha256')
    .update(JSON.stringify([to, letter]))
    .digest('hex')
  await queueMail(owner, {
    key: `admin-email:${day}:${words}`,
    template: 'admin-email',
    recipient: client.email,
    props: { ...letter, customerName: client.full_name, ...(orderId && { orderId }) },
  })
  return Response.json({ success: true })
})
