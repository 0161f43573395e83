import type { SendText } from '#backend/auth/mail.ts'
import { queueText } from '#backend/auth/text-webhook.ts'
import { hasMailbox } from './has-mailbox.ts'
import type { Settings } from './settings.ts'

/** How codes reach phones; undefined when they cannot, and phones then are no second factor. */
export function accountTexts(settings: Settings): SendText | undefined {
  if (settings.phoneWebhookUrl) return queueText
  return hasMailbox(settings) ? keepForMailbox : undefined
}

const keepForMailbox: SendText = async (client, { to, channel, code }) => {
  await client.query('insert into private.texts (sent_to, channel, code) values ($1, $2, $3)', [
    to,
    channel,
    code,
  ])
}
