import { z } from 'zod'

import type { TaskList } from '@saltfreak/backend'

import { sendMail, type MailParts } from './send-mail.ts'

const payloadSchema = z.object({ mailId: z.uuid() })

export function mailTasks(parts: MailParts): TaskList {
  return {
    send_mail: (payload) => sendMail(payloadSchema.parse(payload).mailId, parts),
    queue_stock_alerts: async () => {
      await parts.owner.query('select private.queue_stock_alerts()')
    },
    queue_low_stock_alerts: async () => {
      await parts.owner.query('select private.queue_low_stock_alerts()')
    },
  }
}

/** Polls, because no event marks the moment when a reservation expires and its colour is back in stock. */
export const MAIL_CRONTAB = [
  '* * * * * queue_stock_alerts ?jobKey=queue_stock_alerts&max=3',
  '* * * * * queue_low_stock_alerts ?jobKey=queue_low_stock_alerts&max=3',
].join('\n')
