import type { Pool, PoolClient } from 'pg'
import { z } from 'zod'

import { errorMessage, inTransaction, selectRows } from '@saltfreak/backend'

import { UNSUBSCRIBE_PATH } from './mail-paths.ts'
import type { Deliver, OutgoingMail } from './transport.ts'

export interface MailParts {
  owner: Pool
  publicUrl: string
  mailFrom: string
  shopEmail: string
  /** Null without a mail server: mails count as sent and appear on the mailbox page. */
  deliver: Deliver | null
  log: { info(fields: object, message: string): void; warn(fields: object, message: string): void }
}

const queuedMail = z.object({
  id: z.string(),
  key: z.string(),
  template: z.string(),
  recipient: z.string().nullable(),
  props: z.unknown(),
  request_id: z.string().nullable(),
  is_marketing: z.boolean(),
  reason_not_to_send: z.string().nullable(),
})

type QueuedMail = z.infer<typeof queuedMail>

/**
 * The job `send_mail`. It locks the row until the mail server has answered: a second job for the same mail
 * waits and then finds it sent. Only a crash between the server's "accepted" and our commit sends it
 * again, under the same Message-ID.
 */
export async function sendMail(mailId: string, parts: MailParts): Promise<void> {
  await inTransaction(parts.owner, async (client) => {
    const mail = await lockQueued(client, mailId)
    if (!mail) return
    // The request that caused the mail, by the name that request lines use.
    const id = mail.request_id ?? undefined
    if (mail.reason_not_to_send) {
      await client.query('delete from public.mails where id = $1', [mailId])
      parts.log.info({ mailId, id, reason: mail.reason_not_to_send }, 'mail dropped')
      return
    }

    let outgoing: OutgoingMail
    try {
      outgoing = await compose(mail, parts)
      await parts.deliver?.(outgoing)
    } catch (error) {
      // The mail waits for its retry. Its cause is already committed and must not fail.
      const reason = errorMessage(error)
      await client.query('select private.mail_was_refused($1, $2)', [mailId, reason.slice(0, 1000)])
      parts.log.warn({ mailId, id, reason }, 'a mail was not accepted')
      return
    }
    const { to, subject, html, text } = outgoing
    await client.query('select private.mail_was_sent($1, $2, $3, $4, $5)', [mailId, to, subject, html, text])
    parts.log.info({ mailId, id, template: mail.template }, 'mail sent')
  })
}

async function lockQueued(client: PoolClient, mailId: string): Promise<QueuedMail | undefined> {
  const [mail] = await selectRows(client, queuedMail, [
    `select id, key, template, recipient, props, request_id, is_marketing, private.reason_not_to_send(m)
     from public.mails m
     where id = $1 and status = 'queued' for update`,
    mailId,
  ])
  return mail
}

async function compose(
  mail: QueuedMail,
  { publicUrl, mailFrom, shopEmail }: MailParts,
): Promise<OutgoingMail> {
  // Loaded with the first mail, to keep React Email out of the server's start.
  const { renderMail } = await import('../render-mail.ts')
  const { unsubscribePath, ...rendered } = await renderMail(mail.template, mail.props, publicUrl)
  // Marketing leads to this path, and only queue_marketing_mail() checks the consent.
  if (unsubscribePath?.startsWith(UNSUBSCRIBE_PATH) && !mail.is_marketing)
    throw new Error('This marketing e-mail was not queued as one.')
  const domain = /@([^\s<>@]+)>?$/.exec(mailFrom)?.[1] ?? 'localhost'
  return {
    ...rendered,
    messageId: `<${mail.id}@${domain}>`,
    to: mail.recipient ?? shopEmail,
    // MAIL_FROM may be an address that accepts no mail.
    replyTo: rendered.replyTo ?? (mail.recipient ? shopEmail : null),
    unsubscribeUrl: unsubscribePath && `${publicUrl}${unsubscribePath}`,
  }
}
