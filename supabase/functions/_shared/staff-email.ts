import { selectRows } from '@saltfreak/backend'
import { z } from 'zod'

import type { FunctionContext } from './function-context.ts'
import { FunctionError } from './function-error.ts'
import { isAdmin } from './staff.ts'

export const staffEmailShape = {
  subject: z
    .string()
    .trim()
    .regex(/^[^\p{Cc}]{1,200}$/u, 'must be one line of at most 200 characters'),
  message: z.string().trim().min(1).max(10_000),
}

const staffEmail = z.object({ recipient: z.string(), props: z.looseObject({}) })

type StaffEmail = z.infer<typeof staffEmail>

const recipientRow = z.object({ email: z.string(), full_name: z.string().nullable() })

export interface StaffEmailInput {
  to: string
  subject: string
  message: string
  orderId?: string | null | undefined
}

/**
 * Finds the recipient: the order's buyer, an account, any buyer, or the sender of a contact message. Accounts only for admins ($3): the
 * response must not tell a packer which addresses have one.
 */
const RECIPIENT = `
  select email, full_name from (
    select 1 as rank, customer_email as email, customer_name as full_name from public.orders
      where id = $2 and lower(customer_email) = $1 and placed_at is not null
    union all select 2, email, full_name from public.profiles where lower(email) = $1 and $3
    union all select 3, customer_email, customer_name from public.orders
      where lower(customer_email) = $1 and placed_at is not null
    union all select 4, email, name from public.contact_submissions where lower(email) = $1) as known
  order by rank limit 1`

const senderRow = z.object({ name: z.string().nullable() })

/** Returns recipient and template props of a mail from staff. Throws 404 when the shop does not know the address. */
export async function composeStaffEmail(
  context: FunctionContext,
  input: StaffEmailInput,
): Promise<StaffEmail> {
  const { to, subject, message, orderId } = input
  const { owner } = context.database
  const [client] = await selectRows(owner, recipientRow, [
    RECIPIENT,
    to,
    orderId ?? null,
    await isAdmin(context),
  ])
  if (!client)
    throw new FunctionError(404, 'client_not_found', 'No client of the shop has this e-mail address.')
  const [sender] = await selectRows(owner, senderRow, [
    'select private.sender_name($1) as name',
    context.caller.userId,
  ])
  return {
    recipient: client.email,
    props: {
      subject,
      message,
      customerName: client.full_name,
      senderName: sender?.name ?? null,
      ...(orderId && { orderId }),
    },
  }
}

/** Returns the mail that the SQL function `answer_message` sends. Throws 404 for an unknown message. */
export async function composeReply(
  context: FunctionContext,
  { submissionId, subject, message }: { submissionId: string; subject: string; message: string },
): Promise<StaffEmail> {
  const [mail] = await selectRows(context.database.owner, staffEmail, [
    `select m.email as recipient, private.reply_for_mail(m.id, $2, $3, $4) as props
     from public.contact_submissions m where m.id = $1`,
    submissionId,
    subject,
    message,
    context.caller.userId,
  ])
  if (!mail) throw new FunctionError(404, 'message_not_found', 'There is no such message.')
  return mail
}
