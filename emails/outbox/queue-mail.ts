import { selectRow } from '@saltfreak/backend'
import type { Pool, PoolClient } from 'pg'
import { z } from 'zod'

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

const queuedRow = z.object({ is_new: z.boolean() })

/**
 * Adds a mail to the outbox. Returns false when a mail with this key exists. Pass the client of a transaction to queue the mail only if
 * that transaction commits.
 */
export async function queueMail(database: Pool | PoolClient, mail: MailToQueue): Promise<boolean> {
  // The subquery does not see the mail that this statement writes.
  const queued = await selectRow(database, queuedRow, [
    `select not exists (select from public.mails m where m.key = $1) as is_new, private.queue_mail($1, $2, $3, $4, $5)`,
    mail.key,
    mail.template,
    mail.recipient,
    mail.props,
    mail.isConfidential ?? false,
  ])
  return queued.is_new
}
