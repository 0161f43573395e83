import { momentOfBackup, selectRows } from '@saltfreak/backend'
import type { Pool } from 'pg'
import { z } from 'zod'
import type { Settings } from '../../settings.ts'
import { readBackupFolder } from '../backup-folder.ts'
import { counted } from '../counted.ts'
import { failed, type HealthCheck, ok, warning } from '../finding.ts'

const DAY_MS = 86_400_000
/** A test is due each week; one may be missed while the shop is switched off. */
const LATE_DAYS = 9

const newestTest = z.object({
  testedAt: z.date(),
  backup: z.string().nullable(),
  problem: z.string().nullable(),
})

/** The newest backup was restored within nine days, and the copy was complete. */
export function restoreTestCheck(
  owner: Pool,
  { backup, databaseUrl, dataDir }: Pick<Settings, 'backup' | 'databaseUrl' | 'dataDir'>,
): HealthCheck {
  return {
    component: 'restore test',
    async check() {
      if (!backup) return ok('The shop makes no backups that could be tested.')
      if (databaseUrl) return ok('Only you can test the backups of a database that has a server of its own.')
      const [newest] = await selectRows(owner, newestTest, [
        `select tested_at as "testedAt", backup, nullif(array_to_string(problems, '; '), '') as problem
         from private.restore_tests order by id desc limit 1`,
      ])
      const { folder } = backup
      if (newest?.problem) {
        return failed(
          `The backups may be useless: ${newest.problem}.`,
          `Make a backup with "npm run backup -- ${folder}", then test it with "npm run restore -- --test ${folder}".`,
        )
      }
      // The component `backups` reports a folder that cannot be read.
      const found = await readBackupFolder({ folder, dataDir }).catch(() => null)
      const [oldest] = found?.names ?? []
      const since = newest?.testedAt ?? (oldest && momentOfBackup(oldest))
      const days = since ? Math.floor((Date.now() - since.getTime()) / DAY_MS) : 0
      if (days >= LATE_DAYS) {
        return warning(
          `No backup has been tested for ${counted(days, 'day', 'days')}, although a test is due every week.`,
          `Run "npm run restore -- --test ${folder}", and look for failed jobs.`,
        )
      }
      return newest
        ? ok(`The backup ${newest.backup} was restored ${ago(days)}, and the copy was complete.`)
        : ok('The first restore test follows within a week.')
    },
  }
}

function ago(days: number): string {
  return days < 1 ? 'today' : `${counted(days, 'day', 'days')} ago`
}
