import { z } from 'zod'
import { diskSpace, momentOfBackup, selectRow, selectRows } from '@saltfreak/backend'
import type { SystemReport } from '#domain/function-results.ts'
import { readBackupFolder } from '../health/backup-folder.ts'
import { type CheckedParts, healthChecks } from '../health/health-checks.ts'
import { reportFindings } from '../health/report-findings.ts'
import { runChecks } from '../health/run-checks.ts'

const versionRow = z.object({ version: z.string(), server: z.string() })

const time = z.date().transform((value) => value.toISOString())

const taskRow = z.object({ task: z.string(), ran_at: time.nullable() })

const alertRow = z
  .object({
    id: z.string(),
    component: z.string(),
    state: z.enum(['warning', 'failed']),
    message: z.string(),
    raised_at: time,
    cleared_at: time.nullable(),
  })
  .transform(({ raised_at: raisedAt, cleared_at: clearedAt, ...row }) => ({ ...row, raisedAt, clearedAt }))

const eventRow = z
  .object({
    id: z.string(),
    action: z.string(),
    email: z.string().nullable(),
    detail: z.string().nullable(),
    address: z.string().nullable(),
    happened_at: time,
  })
  .transform(({ happened_at: happenedAt, ...row }) => ({ ...row, happenedAt }))

/** Returns a function that describes how the shop is doing, for admins. Its checks are made anew for each call. */
export function systemReporter({ settings, database, files }: CheckedParts): () => Promise<SystemReport> {
  const checks = healthChecks({ settings, database, files })
  const startedAt = new Date().toISOString()
  const { backup, shopEmail, alertUrl, dataDir } = settings

  async function newestBackup(): Promise<string | null> {
    const found = backup && (await readBackupFolder({ folder: backup.folder, dataDir }).catch(() => null))
    const name = found?.names.at(-1)
    return name ? momentOfBackup(name).toISOString() : null
  }

  return async () => {
    const { owner } = database
    const [findings, release, disk, newest, tasks, alerts, accountEvents] = await Promise.all([
      runChecks(checks),
      selectRow(owner, versionRow, ['select * from private.running_version()']),
      diskSpace(dataDir).catch(() => null),
      newestBackup(),
      selectRows(owner, taskRow, ['select * from private.scheduled_task_runs()']),
      selectRows(owner, alertRow, [
        `select id, component, state, message, raised_at, cleared_at from private.alerts
         order by raised_at desc limit 20`,
      ]),
      selectRows(owner, eventRow, ['select * from private.latest_account_events()']),
    ])
    return {
      checkedAt: new Date().toISOString(),
      startedAt,
      version: release.version,
      database: `PostgreSQL ${release.server}`,
      disk: disk && { freeBytes: disk.freeBytes, totalBytes: disk.totalBytes },
      newestBackup: newest,
      findings: reportFindings(findings),
      tasks: tasks.map(({ task, ran_at: ranAt }) => ({ task, ranAt })),
      alerts,
      accountEvents,
      alertsGoTo: { mail: shopEmail, webhook: alertUrl && new URL(alertUrl).host },
    }
  }
}
