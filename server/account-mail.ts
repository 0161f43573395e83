import type { PoolClient } from 'pg'
import type { AuthMail, MailKind } from '@saltfreak/backend'
import { queueMail } from '#emails/outbox/queue-mail.ts'

const TEMPLATES: Record<MailKind, string> = {
  confirmation: 'email-confirmation',
  verification: 'email-verification',
  recovery: 'password-recovery',
  magic_link: 'sign-in-link',
  invite: 'invitation',
  email_change_current: 'email-change-from-here',
  email_change_new: 'email-change-to-here',
  reauthentication: 'reauthentication',
}

/** Adds an account e-mail to the outbox, in the transaction that created its link or code. */
export async function queueAccountMail(client: PoolClient, mail: AuthMail): Promise<void> {
  await queueMail(client, {
    key: `account/${mail.kind}/${mail.userId}/${crypto.randomUUID()}`,
    template: TEMPLATES[mail.kind],
    recipient: mail.to,
    props: mail.link ? { link: mail.link } : { code: mail.code },
    isConfidential: true,
  })
}
