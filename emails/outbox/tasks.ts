import { z } from 'zod'

import type { TaskList } from '@saltfreak/backend'

import { sendMail, type MailParts } from './send-mail.ts'

const payloadSchema = z.object({ mailId: z.uuid() })

export function mailTasks(parts: MailParts) {
  return {
    send_mail: (payload) => sendMail(payloadSchema.parse(payload).mailId, parts),
    queue_stock_alerts: async () => {
      await parts.owner.query('select private.queue_stock_alerts()')
    },
    queue_low_stock_alerts: async () => {
      await parts.owner.query('select private.queue_low_stock_alerts()')
    },
  } satisfies TaskList
}
