import type { Pool } from 'pg'
import { z } from 'zod'
import { selectRow } from '@saltfreak/backend'
import { counted } from '../counted.ts'
import { failed, type HealthCheck, ok, warning } from '../finding.ts'

const counts = z.object({ given_up: z.coerce.number(), waiting: z.coerce.number() })

/** The mail server accepts e-mails within an hour, and none was given up within the last two weeks. */
export function mailCheck(owner: Pool): HealthCheck {
  return {
    component: 'mail',
    async check() {
      const { given_up: undelivered, waiting } = await selectRow(owner, counts, [
        'select * from private.count_late_mails()',
      ])
      if (waiting > 0) {
        return failed(
          `${counted(waiting, 'e-mail has', 'e-mails have')} been waiting for the mail server for more than an hour.`,
          'Send a test e-mail on the Settings page: it shows the mail server’s answer.',
        )
      }
      if (undelivered > 0) {
        return warning(
          `${counted(undelivered, 'e-mail', 'e-mails')} could not be delivered within three days.`,
          'Open Needs attention to see which, and to send them again.',
        )
      }
      return ok('E-mails are sent without delay.')
    },
  }
}
