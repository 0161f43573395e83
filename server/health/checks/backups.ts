import { join } from 'node:path'
import { BACKUP_FOLDER_FILE, isInFuture, logWaitingSince, momentOfBackup } from '@saltfreak/backend'
import type { Settings } from '../../settings.ts'
import { readBackupFolder } from '../backup-folder.ts'
import { counted } from '../counted.ts'
import { failed, type HealthCheck, ok, warning } from '../finding.ts'

const HOUR_MS = 3_600_000
/** A backup is due after `BACKUP_EVERY` hours; making it may take a while, and the write-ahead log waits meanwhile. */
const GRACE_HOURS = 2

const WITHOUT_DATABASE =
  'It holds files and settings only: the provider of the database must back up the rest.'

const UNREADABLE = 'unreadable'

/** The newest backup is not older than the schedule allows, and the write-ahead log is copied to the folder. */
export function backupsCheck({
  backup,
  databaseUrl,
  dataDir,
  isLocal,
  usesSharedDatabase,
}: Pick<Settings, 'backup' | 'databaseUrl' | 'dataDir' | 'isLocal' | 'usesSharedDatabase'>): HealthCheck {
  const startedAt = Date.now()
  return {
    component: 'backups',
    async check() {
      if (!backup) return withoutSchedule({ databaseUrl, isLocal })
      const { folder } = backup
      const found = await readBackupFolder({ folder, dataDir }).catch((): typeof UNREADABLE => UNREADABLE)
      if (found === UNREADABLE) {
        return failed(
          `The backup folder ${folder} cannot be read.`,
          'Check the drive that it is on, and let the user of the shop own its files.',
        )
      }
      if (!found) {
        return failed(
          `The backup folder ${folder} does not answer.`,
          'Check the drive that it is on, and its connection if that is a network drive.',
        )
      }
      if (found.isLost) {
        return failed(
          `The backups in ${folder} are gone.`,
          `Mount its drive. To begin anew in an empty folder, delete ${join(dataDir, BACKUP_FOLDER_FILE)}.`,
        )
      }
      const action = actionFor(folder, usesSharedDatabase)
      const newest = found.names.at(-1)
      // The first backup of a new folder is due at the start.
      const since = newest ? momentOfBackup(newest).getTime() : startedAt - backup.everyHours * HOUR_MS
      const hours = Math.floor((Date.now() - since) / HOUR_MS)
      const isAhead = newest !== undefined && isInFuture(newest)
      if (!isAhead && hours < backup.everyHours + GRACE_HOURS) {
        const hoursOfLog = databaseUrl ? 0 : await hoursOfWaitingLog(dataDir)
        if (hoursOfLog >= GRACE_HOURS) {
          return failed(
            `The orders of the last ${hoursOfLog} hours are in no backup: the database’s write-ahead log cannot be copied to ${folder}.`,
            action,
          )
        }
        if (!newest) return ok('The first backup is being made.')
        const message = `The newest backup is ${hours < 1 ? 'less than an hour' : counted(hours, 'hour', 'hours')} old.`
        return ok(found.isComplete ? message : `${message} ${WITHOUT_DATABASE}`)
      }
      return failed(problemOf(newest, { isAhead, hours, everyHours: backup.everyHours }), action)
    },
  }
}

function actionFor(folder: string, usesSharedDatabase: boolean): string {
  const where = usesSharedDatabase
    ? 'If BACKUP_TO has changed, restart the database. Its log says why the backup failed.'
    : 'The shop’s log says why the backup failed.'
  return `Check that ${folder} is mounted, writable and has free space. ${where}`
}

async function hoursOfWaitingLog(dataDir: string): Promise<number> {
  const since = await logWaitingSince(dataDir)
  return since ? Math.floor((Date.now() - since.getTime()) / HOUR_MS) : 0
}

function problemOf(
  newest: string | undefined,
  { isAhead, hours, everyHours }: { isAhead: boolean; hours: number; everyHours: number },
): string {
  if (!newest) return 'There is no backup yet.'
  if (isAhead)
    return 'The newest backup is dated in the future: the clock of this machine was ahead then, or is behind now.'
  return `The newest backup is ${counted(hours, 'hour', 'hours')} old, although one is due every ${counted(everyHours, 'hour', 'hours')}.`
}

function withoutSchedule({ databaseUrl, isLocal }: Pick<Settings, 'databaseUrl' | 'isLocal'>) {
  if (databaseUrl) return ok('The provider of the database makes the backups.')
  if (isLocal) return ok('This shop is for trying out on one machine, so it makes no backups.')
  return warning(
    'The shop makes no backups: a broken disk would lose every order.',
    'Set BACKUP_TO to a folder on another disk, and restart the shop and its database.',
  )
}
