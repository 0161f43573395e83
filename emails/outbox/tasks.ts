import { z } from 'zod'

import type { TaskList } from '#backend/jobs/run-jobs.ts'

import { sendMail, type MailParts } from './send-mail.ts'

const payloadSchema = z.object({ mailId: z.uuid() })

export function mailTasks(parts: MailParts): TaskList {
  return {
    send_mail: (payload) => sendMail(payloadSchema.parse(payload).mailId, parts),
    announce_stock: async () => {
      await parts.owner.query('select private.announce_stock()')
    },
    announce_low_stock: async () => {
      await parts.owner.query('select private.announce_low_stock()')
    },
  }
}

/** A hold runs out by the clock alone, so what is back in stock is looked for by the clock. */
export const MAIL_CRONTAB = [
  '* * * * * announce_stock ?jobKey=announce_stock&max=3',
  '* * * * * announce_low_stock ?jobKey=announce_low_stock&max=3',
].join('\n')
