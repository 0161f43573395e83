import { z } from 'zod'

import type { Given } from './given.ts'
import { Refusal } from './refusal.ts'
import { isAdmin } from './staff.ts'

export const letterShape = {
  subject: z
    .string()
    .trim()
    .regex(/^[^\p{Cc}]{1,200}$/u, 'must be one line of at most 200 characters'),
  message: z.string().trim().min(1).max(10_000),
}

export interface OwnMail {
  recipient: string
  props: object
}

export interface Letter {
  to: string
  subject: string
  message: string
  orderId?: string | null | undefined
}

/**
 * Whom the shop knows by this address: the buyer of the order, an account, a buyer, or a writer of the contact form. A packer sees
 * orders and messages, not accounts: the answer may not tell a packer which addresses have one.
 */
const KNOWN = `
  select email, full_name from (
    select 1 as rank, customer_email as email, customer_name as full_name from public.orders
      where id = $2 and lower(customer_email) = $1 and placed_at is not null
    union all select 2, email, full_name from public.profiles where lower(email) = $1 and $3
    union all select 3, customer_email, customer_name from public.orders
      where lower(customer_email) = $1 and placed_at is not null
    union all select 4, email, name from public.contact_submissions where lower(email) = $1) as known
  order by rank limit 1`

/** The mail that staff write to a known address: recipient and template props, for sending and for its preview. */
export async function composeOwnMail(given: Given, letter: Letter): Promise<OwnMail> {
  const { to, subject, message, orderId } = letter
  const { owner } = given.database
  const { rows } = await owner.query<{ email: string; full_name: string | null }>(KNOWN, [
    to,
    orderId ?? null,
    await isAdmin(given),
  ])
  const [client] = rows
  if (!client) throw new Refusal(404, 'client_not_found', 'No client of the shop has this e-mail address.')
  const sender = await owner.query<{ name: string | null }>('select private.sender_name($1) as name', [
    given.caller.userId,
  ])
  return {
    recipient: client.email,
    props: {
      subject,
      message,
      customerName: client.full_name,
      senderName: sender.rows[0]?.name ?? null,
      ...(orderId && { orderId }),
    },
  }
}

/** The mail that `answer_message` sends. */
export async function composeReply(
  given: Given,
  { submissionId, subject, message }: { submissionId: string; subject: string; message: string },
): Promise<OwnMail> {
  const { rows } = await given.database.owner.query<OwnMail>(
    `select m.email as recipient, private.reply_for_mail(m.id, $2, $3, $4) as props
     from public.contact_submissions m where m.id = $1`,
    [submissionId, subject, message, given.caller.userId],
  )
  const [mail] = rows
  if (!mail) throw new Refusal(404, 'message_not_found', 'There is no such message.')
  return mail
}
