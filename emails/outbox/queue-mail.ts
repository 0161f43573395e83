import type { Pool, PoolClient } from 'pg'

export interface MailToQueue {
  /** The occasion; a second mail with the same key is never written. */
  key: string
  template: string
  /** Null is the shop itself. */
  recipient: string | null
  props: object
  /** Holds a link that is for its recipient only: admins do not read it. */
  isConfidential?: boolean
}

/** Puts a mail into the outbox, in the transaction of its cause when given that transaction's client. */
export async function queueMail(database: Pool | PoolClient, mail: MailToQueue): Promise<void> {
  await database.query('select private.queue_mail($1, $2, $3, $4, $5)', [
    mail.key,
    mail.template,
    mail.recipient,
    mail.props,
    mail.isConfidential ?? false,
  ])
}
