import type { Pool, PoolClient } from 'pg'

export interface MailToQueue {
  /** Idempotency key of the occasion: a second mail with the same key is ignored. */
  key: string
  template: string
  /** Null sends the mail to the shop. */
  recipient: string | null
  props: object
  /** Hides the mail from admins, because it contains a sign-in link of its recipient. */
  isConfidential?: boolean
}

/** Adds a mail to the outbox. Pass the client of a transaction to queue the mail only if that transaction commits. */
export async function queueMail(database: Pool | PoolClient, mail: MailToQueue): Promise<void> {
  await database.query('select private.queue_mail($1, $2, $3, $4, $5)', [
    mail.key,
    mail.template,
    mail.recipient,
    mail.props,
    mail.isConfidential ?? false,
  ])
}
