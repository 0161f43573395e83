import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { DatabaseProblem } from '#backend/database/database-problem.ts'
import { dataPath } from '#backend/database/installation.ts'
import { type DiskSpace, diskSpace } from '#backend/process/disk-space.ts'
import { errorMessage } from '#backend/process/error-message.ts'
import {
  type BackupSource,
  type BackupTarget,
  copyFiles,
  createBackup,
  requireTarget,
} from './create-backup.ts'
import { whyWithoutDatabase } from './database-dump.ts'
import { openEncryption } from './encryption.ts'
import { fetchExternalChain } from './external-chain.ts'
import { rememberBackups } from './lost-backups.ts'
import { type Backup, isInFuture, listBackups, momentOfBackup, newestBackup } from './manifest.ts'
import { removeOldBackups, removeLeftovers } from './retention.ts'
import { parseStoredName } from './stored-files.ts'
import {
  archiveSegments,
  dropWaitingLog,
  forgetChain,
  hasHole,
  listArchive,
  loadChain,
} from './wal-archive.ts'
import type { Log } from '#backend/process/log.ts'

export interface BackupSchedule extends BackupTarget {
  everyHours: number
  log: Pick<Log, 'error' | 'info'>
  /** Between two rounds. */
  pollMs?: number
  /** For tests. */
  spaceOf?: (folder: string) => Promise<Pick<DiskSpace, 'level'>>
}

export interface RunningBackups {
  stop(): Promise<void>
  /** Takes the end of the log to the folder, which PostgreSQL hands over when it stops. */
  archiveRest(): Promise<void>
}

const POLL_MS = 10_000
const HOUR_MS = 3_600_000
const RETRY_MS = 600_000

/**
 * Keeps the backups of a running application up to date until stopped: takes the database's log and new files to the folder, makes a
 * backup when the newest is too old, and removes those that need not be kept. A step that fails is logged and repeated.
 */
export function keepBackups(source: BackupSource, schedule: BackupSchedule): RunningBackups {
  const { pollMs = POLL_MS } = schedule
  const stopping = new AbortController()
  const running = { ...schedule, signal: stopping.signal }
  const backUp = backUpWhenDue(source, running)
  const steps = [
    reportChanges(running, 'the backup', () => withRoom(source, running, backUp)),
    reportChanges(running, 'archiving the log', () =>
      withRoom(source, running, () => archive(source, running)),
    ),
  ]
  const protectDisk = reportChanges(running, 'watching the disk', () => dropLogOnFullDisk(source, running))

  async function repeat(round: () => Promise<void>): Promise<void> {
    while (!stopping.signal.aborted) {
      // oxlint-disable no-await-in-loop -- one round after the other
      await round()
      await pause(pollMs, undefined, { signal: stopping.signal }).catch(() => undefined)
      // oxlint-enable no-await-in-loop
    }
  }
  const repeated = [
    repeat(async () => {
      // oxlint-disable-next-line no-await-in-loop -- the backup creates the folder's key
      for (const step of steps) await step()
    }),
    // On its own, because writing to a lost network drive can hang.
    repeat(protectDisk),
  ]
  return {
    async stop() {
      stopping.abort()
      await Promise.all(repeated)
    },
    archiveRest: () => archive(source, schedule),
  }
}

/** Throws instead of calling `work` when a backup would take the last room that the database has. */
async function withRoom(
  { dataDir }: BackupSource,
  { folder, spaceOf = diskSpace }: BackupSchedule,
  work: () => Promise<void>,
): Promise<void> {
  await requireTarget(folder, dataDir)
  const isFull = (await spaceOf(dataDir)).level === 'critical'
  if (isFull && (await diskOf(folder)) === (await diskOf(dataDir)))
    throw new DatabaseProblem(
      `the disk of the data folder is full, and the backup folder ${folder} is on the same one: free some space, and choose a folder on another disk`,
    )
  return work()
}

async function diskOf(folder: string): Promise<number> {
  return (await stat(folder)).dev
}

/** Logs the first of equal errors in a row, and the first success after them, but not that a stop ended the step. */
function reportChanges(
  { log, signal }: Pick<BackupSchedule, 'log' | 'signal'>,
  what: string,
  step: () => Promise<void>,
): () => Promise<void> {
  let lastProblem = ''
  return async () => {
    const problem = await step().then(() => '', errorMessage)
    if (signal?.aborted) return
    if (problem && problem !== lastProblem) log.error({ reason: problem }, `${what} failed`)
    if (!problem && lastProblem) log.info({}, `${what} works again`)
    lastProblem = problem
  }
}

function backUpWhenDue(source: BackupSource, schedule: BackupSchedule): () => Promise<void> {
  const { folder, log } = schedule
  /** By the monotonic clock: a time of day that is set back would put off the next attempt. */
  let failure: { error: unknown; until: number } | null = null
  /** Asked once: an external database that does not answer while no backup is due is not the backups' problem. */
  let externalChain: string | null = null
  async function currentChain(): Promise<string> {
    const { dataDir, databaseUrl } = source
    if (!databaseUrl) return loadChain(dataDir)
    externalChain ??= await fetchExternalChain({ dataDir, databaseUrl })
    return externalChain
  }
  let removed: string[] = []
  // On their own: what cannot be removed, such as a backup that another user made, must not prevent the next backup.
  const clean = reportChanges(schedule, 'cleaning the backup folder', () => removeLeftovers(folder))
  const removeOld = reportChanges(schedule, 'removing old backups', async () => {
    removed = []
    await removeOldBackups(folder, (each) => void removed.push(each))
  })
  return async () => {
    await rememberBackups(folder, source.dataDir)
    if (!(await isDue(schedule, currentChain))) return
    // A backup reads the whole database: repeating a failed one each round would keep the disks busy.
    if (failure && performance.now() < failure.until) throw failure.error
    try {
      // Each may be as large as the database, and leave no room for a backup.
      await clean()
      const { name, manifest } = await createBackup(source, schedule)
      externalChain = manifest.chain
      await removeOld()
      const reason = whyWithoutDatabase(manifest)
      log.info({ name, removed }, reason ? `made a backup of the files: ${reason}` : 'made a backup')
      failure = null
    } catch (error) {
      failure = { error, until: performance.now() + RETRY_MS }
      throw error
    }
  }
}

async function isDue(
  { folder, everyHours }: BackupSchedule,
  currentChain: () => Promise<string>,
): Promise<boolean> {
  const isFresh = (name: string) =>
    !isInFuture(name) && Date.now() - momentOfBackup(name).getTime() < everyHours * HOUR_MS
  // Before the database is asked, which may not answer: then the attempt fails, and is repeated later than the next round.
  const newestOfAll = (await listBackups(folder)).at(-1)
  if (!newestOfAll || !isFresh(newestOfAll)) return true
  const newest = await newestBackup(folder, { chain: await currentChain() })
  if (!newest || !isFresh(newest.name)) return true
  // The moments after a hole can only be restored from a backup made after it.
  return hasHole(await logSince(newest))
}

async function logSince({ folder, manifest }: Backup): Promise<string[]> {
  const own = manifest.wal.map((path) => parseStoredName(path)?.name ?? '')
  const archived = await listArchive(folder, manifest.chain)
  return [...own, ...Array.from(archived.keys()).filter((segment) => segment >= (own[0] ?? ''))]
}

async function archive(source: BackupSource, target: BackupTarget): Promise<void> {
  const { dataDir, files } = source
  const { folder, passphrase, signal } = target
  await requireTarget(folder, dataDir)
  const encryption = await openEncryption(folder, passphrase, { create: true })
  const data = await dataPath(resolve(dataDir))
  const continues = await archiveSegments(
    { data, folder, chain: await loadChain(dataDir) },
    { encryption, signal },
  )
  // Without a backup of the new history the next round makes one.
  if (!continues) await forgetChain(dataDir)
  // A lost machine does not take a bucket along: its files are copied with each backup.
  if (files?.kind !== 's3') await copyFiles(source, { folder, encryption, signal })
}

/** Orders matter more than point-in-time recovery. The hole makes the next backup due as soon as the folder can be written again. */
async function dropLogOnFullDisk({ dataDir }: BackupSource, schedule: BackupSchedule): Promise<void> {
  const { spaceOf = diskSpace, log } = schedule
  if ((await spaceOf(dataDir)).level === 'ok') return
  const dropped = await dropWaitingLog(await dataPath(resolve(dataDir)))
  if (dropped === 0) return
  log.error(
    { segments: dropped },
    'removed the log that waits for the backup folder, because the disk of the data folder is nearly full: no moment from now to the next backup can be restored',
  )
}
