import { z } from 'zod'

import type { TaskList } from '@saltfreak/backend'

import { limitDeliveries } from './limit-deliveries.ts'
import { sendMail, type MailParts } from './send-mail.ts'

const payloadSchema = z.object({ mailId: z.uuid() })

export function mailTasks(parts: MailParts) {
  const runInTurn = limitDeliveries(parts.owner)
  return {
    send_mail: (payload, { abortSignal }) =>
      runInTurn(async () => {
        // Another process may run the job of a mail that was still waiting when this one had to stop.
        abortSignal.throwIfAborted()
        await sendMail(payloadSchema.parse(payload).mailId, parts)
      }),
    queue_stock_alerts: async () => {
      await parts.owner.query('select private.queue_stock_alerts()')
    },
    queue_low_stock_alerts: async () => {
      await parts.owner.query('select private.queue_low_stock_alerts()')
    },
  } satisfies TaskList
}
