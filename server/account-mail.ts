import type { PoolClient } from 'pg'
import type { AuthMail, MailKind } from '#backend/auth/mail.ts'
import { queueMail } from '#emails/outbox/queue-mail.ts'

/** Which of the shop's templates says it; the other kinds have codes only, which this shop never asks for. */
const TEMPLATES: Partial<Record<MailKind, string>> = {
  confirmation: 'email-confirmation',
  recovery: 'password-recovery',
  magic_link: 'sign-in-link',
}

/** Puts a mail about an account into the outbox, in the transaction that made its link. */
export async function queueAccountMail(client: PoolClient, mail: AuthMail): Promise<void> {
  const template = TEMPLATES[mail.kind]
  if (!template || !mail.link) throw new Error(`this shop has no mail of kind ${mail.kind}`)
  await queueMail(client, {
    key: `account/${mail.kind}/${mail.userId}/${crypto.randomUUID()}`,
    template,
    recipient: mail.to,
    props: { link: mail.link },
    isConfidential: true,
  })
}
