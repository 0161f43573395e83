import { z } from 'zod'

import type { TaskList } from '#backend/jobs/run-jobs.ts'
import { postMessage } from '#backend/http/post-message.ts'
import { queueMessage } from '#backend/jobs/queue-message.ts'
import type { SendText } from './mail.ts'

const TASK = 'send_account_text'

const schema = z.object({ to: z.string(), channel: z.enum(['sms', 'whatsapp']), code: z.string() })

/** Texts go out by the database's job queue, in the transaction that made their code. */
export const queueText: SendText = (client, text) => queueMessage(client, TASK, text)

/** Whoever answers at the address sends the text: `{ to, channel, code }`. */
export function textTasks(webhookUrl: string): TaskList {
  return { [TASK]: (payload) => postMessage(webhookUrl, schema.parse(payload)) }
}
