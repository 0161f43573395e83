import { errorMessage, selectRows } from '@saltfreak/backend'
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { queueMail } from '#emails/outbox/queue-mail.ts'
import { requireAdmin } from '#functions/_shared/staff.ts'
import { withErrorResponse, FunctionError } from '#functions/_shared/function-error.ts'

const TEST_MAIL = {
  subject: 'A test from your shop',
  message:
    'You asked for this e-mail on the settings page. It has arrived, so e-mails to your customers will arrive too.',
}

const profileRow = z.object({ email: z.string().nullable() })

/**
 * Sends a test mail to the calling admin. Bypasses the outbox when there is a mail server, because the outbox's retries would hide the
 * server's error.
 */
export const sendTestMail = withErrorResponse<'send-test-mail'>(async (_request, context) => {
  await requireAdmin(context)
  const [profile] = await selectRows(context.database.owner, profileRow, [
    'select email from public.profiles where id = $1',
    context.caller.userId,
  ])
  const to = profile?.email
  if (!to) throw new FunctionError(409, 'no_address', 'Your account has no e-mail address.')

  if (!context.deliver) {
    const props = { ...TEST_MAIL, customerName: null }
    await queueMail(context.database.owner, {
      key: `test:${randomUUID()}`,
      template: 'admin-email',
      recipient: to,
      props,
    })
    return { to, by: 'mailbox' }
  }
  try {
    await context.deliver({
      messageId: `<${randomUUID()}@${new URL(context.publicUrl).hostname}>`,
      to,
      replyTo: null,
      subject: TEST_MAIL.subject,
      text: TEST_MAIL.message,
      html: `<p>${TEST_MAIL.message}</p>`,
      unsubscribeUrl: null,
    })
  } catch (error) {
    const reason = errorMessage(error)
    throw new FunctionError(502, 'mail_not_sent', `The mail server refused the e-mail: ${reason}`)
  }
  return { to, by: 'server' }
})
