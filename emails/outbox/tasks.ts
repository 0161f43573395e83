import type { TaskList } from '#backend/jobs/run-jobs.ts'
import { z } from 'zod'

import { sendMail, type MailParts } from './send-mail.ts'

const payloadSchema = z.object({ mailId: z.uuid() })

export function mailTasks(parts: MailParts): TaskList {
  return {
    send_mail: (payload) => sendMail(payloadSchema.parse(payload).mailId, parts),
  }
}
