import { z } from 'zod'

import type { TaskList } from '#backend/jobs/run-jobs.ts'

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

/** A hold runs out by the clock alone, so what is back in stock is looked for by the clock. */
export const MAIL_CRONTAB = [
  '* * * * * queue_stock_alerts ?jobKey=queue_stock_alerts&max=3',
  '* * * * * queue_low_stock_alerts ?jobKey=queue_low_stock_alerts&max=3',
].join('\n')
