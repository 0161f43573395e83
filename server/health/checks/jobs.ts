import type { Pool } from 'pg'
import { z } from 'zod'
import { selectRow } from '@saltfreak/backend'
import { failed, type HealthCheck, ok, warning } from '../finding.ts'
import { counted } from '../counted.ts'

export const JOBS = 'jobs'

const counts = z.object({ waiting: z.coerce.number(), failed: z.coerce.number() })

/** Background jobs start on time, and none has used up its attempts within the last day. */
export function jobsCheck(owner: Pool): HealthCheck {
  return {
    component: JOBS,
    async check() {
      const { waiting, failed: failures } = await selectRow(owner, counts, [
        'select * from private.count_late_jobs()',
      ])
      if (waiting > 0) {
        return failed(
          `${counted(waiting, 'background job has', 'background jobs have')} been waiting for more than ten minutes: e-mails, payments and expired orders are late.`,
          'Restart the shop. If the jobs still wait after ten minutes, read the shop’s log.',
        )
      }
      if (failures > 0) {
        return warning(
          `${counted(failures, 'background job', 'background jobs')} failed for good within the last day.`,
          'Read the shop’s log: it names each failed job and its error.',
        )
      }
      return ok('Background jobs run on time.')
    },
  }
}
