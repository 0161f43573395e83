import type { SendText } from '@saltfreak/backend'
import { hasMailbox } from './has-mailbox.ts'
import type { Settings } from './settings.ts'

/** Used without a webhook. Returns undefined when codes cannot reach phones: phones are then not offered as a second factor. */
export function phoneCodeSender(settings: Settings): SendText | undefined {
  return hasMailbox(settings) ? storeForMailbox : undefined
}

const storeForMailbox: SendText = async (client, { to, channel, code }) => {
  await client.query('insert into private.texts (sent_to, channel, code) values ($1, $2, $3)', [
    to,
    channel,
    code,
  ])
}
