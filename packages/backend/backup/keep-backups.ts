import { resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { dataPath } from '#backend/database/installation.ts'
import { type BackupSource, type BackupTarget, copyFiles, createBackup } from './create-backup.ts'
import { openEncryption } from './encryption.ts'
import { listBackups, momentOfBackup } from './manifest.ts'
import { removeOldBackups } from './retention.ts'
import { archiveSegments, loadChain } from './wal-archive.ts'

interface KeepLog {
  info(fields: object, message: string): void
  error(fields: object, message: string): void
}

export interface BackupSchedule extends BackupTarget {
  everyHours: number
  log: KeepLog
  /** Between two rounds. */
  pollMs?: number
}

export interface RunningBackups {
  stop(): Promise<void>
  /** Takes the end of the log to the folder, which PostgreSQL hands over when it stops. */
  archiveRest(): Promise<void>
}

const POLL_MS = 10_000
const HOUR_MS = 3_600_000

/**
 * Keeps the backups of a running application up to date until stopped: takes the database's log and new files to the folder, makes a
 * backup when the newest is too old, and removes those that need not be kept. A round that fails is logged and repeated.
 */
export function keepBackups(source: BackupSource, schedule: BackupSchedule): RunningBackups {
  const { log, pollMs = POLL_MS } = schedule
  const stopping = new AbortController()
  let lastProblem = ''

  async function repeat(): Promise<void> {
    while (!stopping.signal.aborted) {
      // oxlint-disable no-await-in-loop -- one round after the other
      const problem = await runRound(source, schedule).then(
        () => '',
        (error: unknown) => (error instanceof Error ? error.message : String(error)),
      )
      if (problem && problem !== lastProblem) log.error({ reason: problem }, 'the backup failed')
      if (!problem && lastProblem) log.info({}, 'the backup works again')
      lastProblem = problem
      await pause(pollMs, undefined, { signal: stopping.signal }).catch(() => undefined)
      // oxlint-enable no-await-in-loop
    }
  }
  const repeated = repeat()
  return {
    async stop() {
      stopping.abort()
      await repeated
    },
    archiveRest: () => archive(source, schedule),
  }
}

async function runRound(
  source: BackupSource,
  { folder, passphrase, everyHours, log }: BackupSchedule,
): Promise<void> {
  if (await isDue(folder, everyHours)) {
    const { name } = await createBackup(source, { folder, passphrase })
    const removed = await removeOldBackups(folder)
    log.info({ name, removed }, 'made a backup')
  }
  await archive(source, { folder, passphrase })
}

async function archive({ dataDir }: BackupSource, { folder, passphrase }: BackupTarget): Promise<void> {
  const encryption = await openEncryption(folder, passphrase)
  const data = await dataPath(resolve(dataDir))
  await archiveSegments({ data, folder, chain: await loadChain(dataDir) }, { encryption })
  await copyFiles(dataDir, folder, encryption)
}

async function isDue(folder: string, everyHours: number): Promise<boolean> {
  const newest = (await listBackups(folder)).at(-1)
  return !newest || Date.now() - momentOfBackup(newest).getTime() >= everyHours * HOUR_MS
}
