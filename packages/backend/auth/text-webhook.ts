import { z } from 'zod'

import type { TaskList } from '#backend/jobs/run-jobs.ts'
import { postMessage } from '#backend/http/post-message.ts'
import { queueMessage } from '#backend/jobs/queue-message.ts'
import type { SendText } from './mail.ts'

const TASK = 'send_account_text'

const schema = z.object({ to: z.string(), channel: z.enum(['sms', 'whatsapp']), code: z.string() })

/** Queues the text as a database job, in the transaction that created its code. */
export const queueText: SendText = (client, text) => queueMessage(client, TASK, text)

/** The job that posts `{ to, channel, code }` to the webhook, which sends the text. */
export function textTasks(webhookUrl: string): TaskList {
  return { [TASK]: (payload) => postMessage(webhookUrl, schema.parse(payload)) }
}
