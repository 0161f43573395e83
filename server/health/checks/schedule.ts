import type { Pool } from 'pg'
import { z } from 'zod'
import { selectRow } from '@saltfreak/backend'
import { failed, type HealthCheck, ok } from '../finding.ts'

/** Several tasks run every minute. */
const LATE_MINUTES = 5

const newest = z.object({ minutes: z.number().nullable() })

/** Scheduled tasks, such as the expiry of orders, are started on time. `uptimeSeconds`: since the process started. */
export function scheduleCheck(owner: Pool, uptimeSeconds = () => process.uptime()): HealthCheck {
  return {
    component: 'schedule',
    async check() {
      const { minutes } = await selectRow(owner, newest, [
        `select floor(extract(epoch from now() - max(last_execution)) / 60)::int as minutes
         from graphile_worker._private_known_crontabs`,
      ])
      // After a start, the first minute has not come yet.
      const isLate =
        minutes !== null && Math.abs(minutes) >= LATE_MINUTES && uptimeSeconds() > LATE_MINUTES * 60
      if (!isLate) return ok('Scheduled tasks start on time.')
      return failed(
        minutes < 0
          ? 'Scheduled tasks stand still because the clock was wrong: unpaid orders do not expire.'
          : `No scheduled task has started for ${minutes} minutes: unpaid orders do not expire.`,
        'Check the clock of this machine, then restart the shop.',
      )
    },
  }
}
