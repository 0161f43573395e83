import type { Pool } from 'pg'
import { z } from 'zod'
import { selectRow } from '@saltfreak/backend'
import { counted } from '../counted.ts'
import type { HealthCheck } from '../finding.ts'

const MAIL = 'mail'

const counts = z.object({ given_up: z.coerce.number(), waiting: z.coerce.number() })

/** E-mails leave within an hour, and none was given up within the last two weeks. */
export function mailCheck(owner: Pool): HealthCheck {
  return {
    component: MAIL,
    async check() {
      const { given_up: undelivered, waiting } = await selectRow(owner, counts, [
        'select * from private.count_late_mails()',
      ])
      if (waiting > 0) {
        return {
          component: MAIL,
          state: 'failed',
          message: `${counted(waiting, 'e-mail has', 'e-mails have')} been waiting for the mail server for more than an hour.`,
          action: 'Send a test e-mail on the Settings page: it shows the mail server’s answer.',
        }
      }
      if (undelivered > 0) {
        return {
          component: MAIL,
          state: 'warning',
          message: `${counted(undelivered, 'e-mail', 'e-mails')} could not be delivered within three days.`,
          action: 'Open Needs attention to see which, and to send them again.',
        }
      }
      return { component: MAIL, state: 'ok', message: 'E-mails are sent without delay.' }
    },
  }
}
