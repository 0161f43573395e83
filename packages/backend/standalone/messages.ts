import { appendFile, mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { createTransport } from 'nodemailer'
import { z } from 'zod'

import type { AuthMail, MailKind, SendMail } from '#backend/auth/mail.ts'
import { postMessage } from '#backend/http/post-message.ts'
import { queueMessage } from '#backend/jobs/queue-message.ts'
import type { TaskList } from '#backend/jobs/run-jobs.ts'

const TASK = 'send_account_mail'

export interface MessageSettings {
  smtpUrl?: string
  mailFrom: string
  mailWebhookUrl?: string
  mailFile: string
}

export const queueAccountMail: SendMail = (client, mail) => queueMessage(client, TASK, mail)

const mailSchema: z.ZodType<AuthMail> = z.object({
  kind: z.enum([
    'confirmation',
    'verification',
    'recovery',
    'magic_link',
    'invite',
    'email_change_current',
    'email_change_new',
    'reauthentication',
  ]),
  to: z.string(),
  userId: z.string(),
  code: z.string(),
  link: z.string().nullable(),
})

export function messageTasks(settings: MessageSettings): TaskList {
  const deliver = mailDelivery(settings)
  return { [TASK]: (payload) => deliver(mailSchema.parse(payload)) }
}

/** Throws when the mail is not accepted. */
type Deliver = (mail: AuthMail) => Promise<void>

function mailDelivery({ smtpUrl, mailFrom, mailWebhookUrl, mailFile }: MessageSettings): Deliver {
  if (smtpUrl) return bySmtp(smtpUrl, mailFrom)
  if (mailWebhookUrl) return (mail) => postMessage(mailWebhookUrl, asJson(mail))
  return async (mail) => {
    await mkdir(dirname(mailFile), { recursive: true })
    // Only the owner may read the file: its links and codes give access to accounts.
    await appendFile(mailFile, `${JSON.stringify({ at: new Date(), ...asJson(mail) })}\n`, { mode: 0o600 })
  }
}

function asJson({ userId, ...mail }: AuthMail) {
  return { ...mail, user_id: userId }
}

const SUBJECTS: Record<MailKind, string> = {
  confirmation: 'Confirm your e-mail address',
  verification: 'Confirm your e-mail address',
  recovery: 'Set a new password',
  magic_link: 'Sign in',
  invite: 'You have been invited',
  email_change_current: 'Confirm the change of your e-mail address',
  email_change_new: 'Confirm your new e-mail address',
  reauthentication: 'Your code',
}

function bySmtp(smtpUrl: string, from: string): Deliver {
  const transport = createTransport(smtpUrl, { disableFileAccess: true, disableUrlAccess: true })
  return async ({ kind, to, code, link }) => {
    const text = link ? `${link}\n\nOr enter this code: ${code}\n` : `Enter this code: ${code}\n`
    await transport.sendMail({ from, to, subject: SUBJECTS[kind], text })
  }
}
