import { execFile } from 'node:child_process'
import { access, constants, open, readdir, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join, resolve, sep } from 'node:path'
import { Readable } from 'node:stream'
import { parseEnv, promisify } from 'node:util'
import { z } from 'zod'
import { postgresBinaries } from '#backend/database/binaries.ts'
import { DatabaseProblem } from '#backend/database/database-problem.ts'
import { startPostgres } from '#backend/database/embedded.ts'
import {
  createOwnedFolder,
  dataPath,
  type Installation,
  prepareInstallation,
} from '#backend/database/installation.ts'
import { createFolder } from '#backend/process/create-folder.ts'
import { writeDurably } from '#backend/process/write-durably.ts'
import { type DumpTarget, requireDumpTarget, restoreDump } from './database-dump.ts'
import { CLAIM, COPY_MARK, databaseAddresses } from './restored-copy.ts'
import { openEncryption } from './encryption.ts'
import { type Backup, listBackups, readBackup, readBackups } from './manifest.ts'
import { restoreFiles } from './restore-files.ts'
import { restoreLog } from './restore-log.ts'
import { type Encryption, readStoredFile, requireIntact } from './stored-files.ts'
import { sendInput } from './stream-program.ts'

export interface RestoreOptions {
  /** A folder of backups, of which the newest that fits is restored with the log archived after it; or one backup in it. */
  from: string
  /** A folder that is empty or does not exist. */
  into: string
  /** Restores the state of this moment; by default the newest, or that of the named backup. */
  at?: Date | undefined
  passphrase: string | null
  /** An empty database for the backup of an external one. */
  databaseUrl?: string | null
  /** False: the copy may be lost at a power cut, and the restore slows down nothing else on the disk; for a copy that is removed soon. */
  durable?: boolean
  /** Called with the path of each stored file that is left out because it is missing or damaged. */
  onDamagedFile?: (path: string) => Promise<void>
}

export interface Restored {
  backup: Backup
  /** A sentence for each damaged backup that was passed over, and for what the restored copy lacks. */
  skipped: string[]
  /** Path of a file with the settings that were in force, which may contain passwords. */
  settingsFile: string
}

/** In PostgreSQL's data. */
const REPLAY = 'wal_to_replay'
/** Recovery replays up to a day of log. */
const RECOVERY_TIMEOUT_MS = 3_600_000

/**
 * Restores a backup with the log archived after it, up to `at` and as far as it is readable, without damaged pictures and films; a named
 * backup without `at` as it was made. Throws a DatabaseProblem that says what to do when the target is not empty or the backup is damaged,
 * newer than this program or locked; the target is empty again then, and an external database unchanged.
 */
export async function restoreBackup({
  from,
  into,
  at,
  passphrase,
  databaseUrl = null,
  durable = true,
  onDamagedFile = async () => undefined,
}: RestoreOptions): Promise<Restored> {
  const target = resolve(into)
  const { backup, skipped, isNamed } = await chooseBackup(resolve(from), at)
  const dumpTarget = await chooseDumpTarget(backup, { at, databaseUrl })
  const encryption = await openEncryption(backup.folder, passphrase)
  if (`${target}${sep}`.startsWith(`${backup.folder}${sep}`))
    throw new DatabaseProblem(
      `${target} is in the folder of the backups: choose a new folder to restore into`,
    )
  await claim(target)
  try {
    // First: what a killed restore leaves must not start as the shop itself.
    const writeMark = (original: string[]) =>
      writeDurably(
        join(target, COPY_MARK),
        JSON.stringify({ backup: backup.name, at: at?.toISOString() ?? null, original }),
        { mode: 0o644 },
      )
    await writeMark([])
    const settings = await readSettings(backup, encryption)
    const { DATABASE_URL: original } = settings.environment
    if (original) await writeMark(databaseAddresses(original))
    if (!backup.manifest.isExternal) {
      const { password } = settings
      skipped.push(...(await restoreCluster(backup, { target, encryption, at, isNamed, durable, password })))
    }
    skipped.push(...(await restoreFiles(backup, { target, encryption, onDamagedFile })))
    const settingsFile = join(target, 'settings.env')
    // The former address would let the copy write to the original's database.
    const external = dumpTarget && { DATABASE_URL: dumpTarget.url }
    await writeSettings(settingsFile, { ...settings.environment, ...external })
    // Once: flushing each of thousands of pictures takes longer.
    if (durable) await promisify(execFile)('sync', ['--file-system', target])
    // Last: an error after it would leave a database that is not empty.
    if (dumpTarget) await writeDump(backup, { dumpTarget, encryption, ...settings })
    await rm(join(target, CLAIM))
    return { backup, skipped, settingsFile }
  } catch (error) {
    await removeContent(target)
    throw isFullDisk(error) ? noRoom(target, error) : error
  }
}

/** The claim goes last: what a kill leaves of the rest must not start. Under root, the database may lie outside the folder. */
async function removeContent(target: string): Promise<void> {
  await rm(await dataPath(target), { recursive: true, force: true })
  const names = (await readdir(target)).filter((name) => name !== CLAIM)
  for (const name of [...names, CLAIM]) await rm(join(target, name), { recursive: true, force: true })
}

/** `tar` and PostgreSQL name each file that they could not write. */
function isFullDisk(error: unknown): boolean {
  return error instanceof Error && /ENOSPC|EDQUOT|No space left on device|quota exceeded/i.test(error.message)
}

function noRoom(target: string, cause: unknown): DatabaseProblem {
  const message = `the disk of ${target} has no room for the copy: choose a folder on another disk`
  return new DatabaseProblem(message, { cause })
}

async function chooseBackup(
  from: string,
  at: Date | undefined,
): Promise<Pick<Restored, 'backup' | 'skipped'> & { isNamed: boolean }> {
  if ((await listBackups(from)).length === 0) {
    const backup = await readBackup(dirname(from), basename(from))
    if (at && at < new Date(backup.manifest.endedAt)) throw tooEarly(at, backup)
    return { backup, skipped: [], isNamed: true }
  }
  const { backups, problems: skipped } = await readBackups(from)
  const chosen = at ? backups.findLast(({ manifest }) => new Date(manifest.endedAt) <= at) : backups.at(-1)
  const [oldest] = backups
  if (!chosen && oldest && at) throw tooEarly(at, oldest)
  if (!chosen) throw new DatabaseProblem(skipped.at(-1) ?? `${from} holds no backup`)
  return { backup: chosen, skipped, isNamed: false }
}

/** Returns null when the backup has no dump. */
async function chooseDumpTarget(
  { name, manifest }: Backup,
  { at, databaseUrl }: { at: Date | undefined; databaseUrl: string | null },
): Promise<DumpTarget | null> {
  if (!manifest.isExternal) return null
  if (at) {
    throw new DatabaseProblem(
      `the database of ${name} has a server of its own, whose log is not kept: leave --at out to restore the state of ${manifest.endedAt}`,
    )
  }
  if (!manifest.database) return null
  if (databaseUrl) return requireDumpTarget(databaseUrl, manifest)
  throw new DatabaseProblem(
    `the database of ${name} has a server of its own: let DATABASE_URL name an empty database to restore into`,
  )
}

function tooEarly(at: Date, { manifest }: Backup): DatabaseProblem {
  return new DatabaseProblem(
    `no backup reaches back to ${at.toISOString()}: the earliest moment is ${manifest.endedAt}`,
  )
}

async function claim(target: string): Promise<void> {
  try {
    await createFolder(target, 0o711)
    await access(target, constants.W_OK | constants.X_OK)
  } catch (cause) {
    throw new DatabaseProblem(
      `${target} is not a folder that can be written: choose a new folder to restore into`,
      { cause },
    )
  }
  const claimed = await open(join(target, CLAIM), 'wx').catch((error: unknown) => {
    if (isFullDisk(error)) throw noRoom(target, error)
    return null
  })
  await claimed?.close()
  if (!claimed) {
    throw new DatabaseProblem(`another restore writes to ${target}, or one was killed: choose another folder`)
  }
  const others = (await readdir(target)).filter((name) => name !== CLAIM)
  if (others.length === 0) return
  await rm(join(target, CLAIM))
  throw new DatabaseProblem(`${target} is not empty: choose a new folder to restore into`)
}

const savedSettings = z.object({
  environment: z.record(z.string(), z.string()),
  /** Of the embedded database. */
  password: z.string().default(''),
  /** Of an external database. */
  databaseSettings: z.array(z.string()).default([]),
})

async function readSettings({ folder, name, manifest }: Backup, encryption: Encryption | null) {
  const content = await Readable.from(
    readStoredFile(join(folder, name, manifest.settings), encryption),
  ).toArray()
  return savedSettings.parse(JSON.parse(Buffer.concat(content).toString()))
}

async function writeSettings(path: string, environment: Record<string, string>): Promise<void> {
  const lines = Object.entries(environment).map(([key, value]) => `${key}=${quoted(value)}\n`)
  await writeFile(path, lines.join(''), { mode: 0o600 })
}

/** Settings files know no escapes. Single quotes first: shells and systemd change nothing between them either. */
function quoted(value: string): string {
  const candidates = ["'", '"', '`', ''].map((quote) => `${quote}${value}${quote}`)
  return candidates.find((each) => parseEnv(`value=${each}`).value === value) ?? value
}

interface DumpSource {
  dumpTarget: DumpTarget
  encryption: Encryption | null
  databaseSettings: string[]
}

async function writeDump(
  { folder, name, manifest }: Backup,
  { dumpTarget, encryption, databaseSettings }: DumpSource,
): Promise<void> {
  const stored = join(folder, name, manifest.database ?? '')
  // A changed byte is noticed only at the end, when pg_restore may have committed.
  await requireIntact(stored)
  await restoreDump(dumpTarget, { content: readStoredFile(stored, encryption), databaseSettings })
}

interface RecoveryOptions extends Pick<RestoreOptions, 'at'> {
  durable: boolean
  /** Without `at`, recovery of a named backup stops where that backup ends. */
  isNamed: boolean
}

interface ClusterOptions extends RecoveryOptions {
  target: string
  encryption: Encryption | null
  password: string
}

/** Returns a sentence for log that the restored database lacks. */
async function restoreCluster(
  backup: Backup,
  { target, encryption, password, ...recovery }: ClusterOptions,
): Promise<string[]> {
  await writeFile(join(target, 'postgres.password'), password, { mode: 0o600 })
  const installation = await prepareInstallation(
    await postgresBinaries(backup.manifest.postgresMajor),
    target,
  )
  const { at, isNamed } = recovery
  const isArchiveNeeded = !isNamed || at !== undefined
  const skipped = await writeCluster(backup, { installation, encryption, isArchiveNeeded })
  await recover(target, { installation, skipped, ...recovery })
  // Recovery to a moment fails unless the log reaches it.
  return at ? [] : skipped
}

interface ClusterTarget {
  installation: Installation
  encryption: Encryption | null
  isArchiveNeeded: boolean
}

async function writeCluster(
  backup: Backup,
  { installation, encryption, isArchiveNeeded }: ClusterTarget,
): Promise<string[]> {
  const { folder, name, manifest } = backup
  const { data } = installation
  const stored = join(folder, name, manifest.database ?? '')
  await requireIntact(stored)
  await createOwnedFolder(installation, data)
  const args = ['--extract', '--file=-', `--directory=${data}`, '--no-same-owner']
  const { code, errors } = await sendInput({ command: 'tar', args }, readStoredFile(stored, encryption))
  if (code !== 0) throw new DatabaseProblem(`unpacking the database fails: ${errors}`)
  await writeFile(join(data, 'backup_label'), manifest.backupLabel)
  await writeFile(join(data, 'recovery.signal'), '')
  const skipped = await restoreLog(backup, { replay: join(data, REPLAY), encryption, isArchiveNeeded })
  const { account } = installation
  if (account) await promisify(execFile)('chown', ['-R', `${account.uid}:${account.gid}`, data])
  return skipped
}

/** Replays the log, lets the database begin its own history, and stops it. */
async function recover(
  target: string,
  {
    installation,
    at,
    isNamed,
    durable,
    skipped,
  }: RecoveryOptions & { installation: Installation; skipped: string[] },
): Promise<void> {
  const postgres = await startPostgres(target, {
    durable,
    startTimeoutMs: RECOVERY_TIMEOUT_MS,
    settings: {
      restore_command: `cp ${REPLAY}/%f %p`,
      hot_standby: 'off',
      archive_mode: 'off',
      ...recoveryTarget({ at, isNamed }),
    },
  }).catch((error: unknown) => {
    if (!(error instanceof Error) || !/before configured recovery target/.test(error.message)) throw error
    const reasons = skipped.map((sentence) => ` (${sentence})`).join('')
    throw new DatabaseProblem(
      `the backup ends before ${at?.toISOString()}${reasons}: leave --at out to restore the newest state`,
    )
  })
  await postgres.stop()
  await rm(join(installation.data, REPLAY), { recursive: true })
}

function recoveryTarget({ at, isNamed }: Pick<RecoveryOptions, 'at' | 'isNamed'>): Record<string, string> {
  if (at)
    return {
      // PostgreSQL knows no abbreviation such as Z this early.
      recovery_target_time: at.toISOString().replace('Z', '+00'),
      recovery_target_inclusive: 'on',
      recovery_target_action: 'promote',
    }
  return isNamed ? { recovery_target: 'immediate', recovery_target_action: 'promote' } : {}
}
