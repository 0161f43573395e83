import type { Pool } from 'pg'
import { z } from 'zod'
import { selectRow } from '@saltfreak/backend'
import type { HealthCheck } from '../finding.ts'
import { counted } from '../counted.ts'

export const JOBS = 'jobs'

const counts = z.object({ waiting: z.coerce.number(), failed: z.coerce.number() })

/** Background jobs start on time, and none has used up its attempts within the last day. */
export function jobsCheck(owner: Pool): HealthCheck {
  return {
    component: JOBS,
    async check() {
      const { waiting, failed } = await selectRow(owner, counts, ['select * from private.count_late_jobs()'])
      if (waiting > 0) {
        return {
          component: JOBS,
          state: 'failed',
          message: `${counted(waiting, 'background job has', 'background jobs have')} been waiting for more than ten minutes: e-mails, payments and expired orders are late.`,
          action: 'Restart the shop. If the jobs still wait after ten minutes, read the shop’s log.',
        }
      }
      if (failed > 0) {
        return {
          component: JOBS,
          state: 'warning',
          message: `${counted(failed, 'background job', 'background jobs')} failed for good within the last day.`,
          action: 'Read the shop’s log: it names each failed job and its error.',
        }
      }
      return { component: JOBS, state: 'ok', message: 'Background jobs run on time.' }
    },
  }
}
