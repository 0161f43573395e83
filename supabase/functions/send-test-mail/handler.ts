import { randomUUID } from 'node:crypto'
import { queueMail } from '#emails/outbox/queue-mail.ts'
import { requireAdmin } from '#functions/_shared/staff.ts'
import type { Given } from '#functions/_shared/given.ts'
import { answering, Refusal } from '#functions/_shared/refusal.ts'

const LETTER = {
  subject: 'A test from your shop',
  message: 'You asked for this mail on the settings page. It has arrived, so mails to your customers do too.',
}

/**
 * Mails the admin who asks. Where there is a mail server the answer is its own: a job that tries again later would hide what is
 * wrong. Else the mail goes where all of them go.
 */
export const sendTestMail = answering<Given>(async (_request, given) => {
  await requireAdmin(given)
  const { rows } = await given.database.owner.query<{ email: string }>(
    'select email from public.profiles where id = $1',
    [given.caller.userId],
  )
  const to = rows[0]?.email
  if (!to) throw new Refusal(409, 'no_address', 'Your account has no e-mail address.')

  if (!given.deliver) {
    const props = { ...LETTER, customerName: null }
    await queueMail(given.database.owner, {
      key: `test:${randomUUID()}`,
      template: 'admin-email',
      recipient: to,
      props,
    })
    return Response.json({ to, by: 'mailbox' })
  }
  try {
    await given.deliver({
      messageId: `<${randomUUID()}@${new URL(given.publicUrl).hostname}>`,
      to,
      replyTo: null,
      subject: LETTER.subject,
      text: LETTER.message,
      html: `<p>${LETTER.message}</p>`,
      unsubscribeUrl: null,
    })
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error)
    throw new Refusal(502, 'mail_not_sent', `The mail server did not take it: ${words}`)
  }
  return Response.json({ to, by: 'server' })
})
