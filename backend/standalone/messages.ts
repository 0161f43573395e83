import { appendFile, mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { createTransport } from 'nodemailer'
import type { PoolClient } from 'pg'
import { z } from 'zod'

import type { AuthMail, AuthText, MailKind, SendMail, SendText } from '#backend/auth/mail.ts'
import type { TaskList } from '#backend/jobs/run-jobs.ts'

/** Hands a message on; throws when it was not taken. */
type Deliver<Message> = (message: Message) => Promise<void>

const MAIL = 'send_account_mail'
const TEXT = 'send_account_text'

/** A code that could not be sent within its own lifetime is worth nothing afterwards. */
const TRIES = 8
const WEBHOOK_TIMEOUT_MS = 10_000

export interface MessageSettings {
  smtpUrl?: string
  mailFrom: string
  mailWebhookUrl?: string
  mailFile: string
  phoneWebhookUrl?: string
}

/**
 * Mails and texts go out by the database's job queue: written in the transaction that made the code, sent afterwards,
 * tried again when the other side is down. So an answer takes as long whether or not there was somebody to write to.
 */
export const queueAccountMail: SendMail = (client, mail) => queue(client, MAIL, mail)
export const queueAccountText: SendText = (client, text) => queue(client, TEXT, text)

async function queue(client: PoolClient, task: string, message: AuthMail | AuthText): Promise<void> {
  await client.query('select graphile_worker.add_job($1, payload => $2, max_attempts => $3)', [
    task,
    JSON.stringify(message),
    TRIES,
  ])
}

const mailSchema: z.ZodType<AuthMail> = z.object({
  kind: z.enum([
    'confirmation',
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

const textSchema: z.ZodType<AuthText> = z.object({
  to: z.string(),
  channel: z.enum(['sms', 'whatsapp']),
  code: z.string(),
})

export function messageTasks(settings: MessageSettings): TaskList {
  const deliverMail = mailDelivery(settings)
  const { phoneWebhookUrl } = settings
  return {
    [MAIL]: (payload) => deliverMail(mailSchema.parse(payload)),
    ...(phoneWebhookUrl && {
      [TEXT]: (payload: unknown) => post(phoneWebhookUrl, textSchema.parse(payload)),
    }),
  }
}

function mailDelivery({ smtpUrl, mailFrom, mailWebhookUrl, mailFile }: MessageSettings): Deliver<AuthMail> {
  if (smtpUrl) return bySmtp(smtpUrl, mailFrom)
  if (mailWebhookUrl) return (mail) => post(mailWebhookUrl, asJson(mail))
  return async (mail) => {
    await mkdir(dirname(mailFile), { recursive: true })
    // It opens accounts, so it is nobody else's to read.
    await appendFile(mailFile, `${JSON.stringify({ at: new Date(), ...asJson(mail) })}\n`, { mode: 0o600 })
  }
}

function asJson({ userId, ...mail }: AuthMail) {
  return { ...mail, user_id: userId }
}

async function post(url: string, message: object): Promise<void> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(message),
    signal: AbortSignal.timeout(WEBHOOK_TIMEOUT_MS),
  })
  if (!answer.ok) throw new Error(`the webhook answered ${answer.status}`)
}

const SUBJECTS: Record<MailKind, string> = {
  confirmation: 'Confirm your e-mail address',
  recovery: 'Set a new password',
  magic_link: 'Sign in',
  invite: 'You have been invited',
  email_change_current: 'Confirm the change of your e-mail address',
  email_change_new: 'Confirm your new e-mail address',
  reauthentication: 'Your code',
}

function bySmtp(smtpUrl: string, from: string): Deliver<AuthMail> {
  const transport = createTransport(smtpUrl, { disableFileAccess: true, disableUrlAccess: true })
  return async ({ kind, to, code, link }) => {
    const text = link ? `${link}\n\nOr enter this code: ${code}\n` : `Enter this code: ${code}\n`
    await transport.sendMail({ from, to, subject: SUBJECTS[kind], text })
  }
}
