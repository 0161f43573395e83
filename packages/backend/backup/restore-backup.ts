import { execFile } from 'node:child_process'
import { access, constants, open, mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join, resolve, sep } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { parseEnv, promisify } from 'node:util'
import { z } from 'zod'
import { postgresBinaries } from '#backend/database/binaries.ts'
import { DatabaseProblem } from '#backend/database/database-problem.ts'
import { startPostgres } from '#backend/database/embedded.ts'
import { createOwnedFolder, type Installation, prepareInstallation } from '#backend/database/installation.ts'
import { createFolder } from '#backend/process/create-folder.ts'
import { listFiles } from './create-backup.ts'
import { type DumpTarget, requireDumpTarget, restoreDump } from './database-dump.ts'
import { COPY_MARK, databaseAddresses } from './restored-copy.ts'
import { type Encryption, openEncryption } from './encryption.ts'
import { type Backup, listBackups, readBackup, readBackups } from './manifest.ts'
import { parseStoredName, readStoredFile, requireIntact } from './stored-files.ts'
import { sendInput } from './stream-program.ts'
import { archiveFolder, listArchive } from './wal-archive.ts'

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
}

export interface Restored {
  backup: Backup
  /** A sentence for each damaged backup that was passed over. */
  skipped: string[]
  /** Path of a file with the settings that were in force, which may contain passwords. */
  settingsFile: string
}

/** Claims the target folder: of two restores at once, one is refused. */
const CLAIM = 'restoring'
/** In PostgreSQL's data. */
const REPLAY = 'wal_to_replay'
/** Recovery replays up to a day of log. */
const RECOVERY_TIMEOUT_MS = 3_600_000
const BLOCK_BYTES = 8192
const ZEROS = Buffer.alloc(BLOCK_BYTES)

/**
 * Restores a backup with the log archived after it, up to `at`; a named backup without `at` as it was made. Throws a DatabaseProblem that
 * says what to do when the target is not empty or the backup is damaged, newer than this program or locked; the target is empty again
 * then, and an external database unchanged.
 */
export async function restoreBackup({
  from,
  into,
  at,
  passphrase,
  databaseUrl = null,
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
      writeFile(
        join(target, COPY_MARK),
        JSON.stringify({ backup: backup.name, at: at?.toISOString() ?? null, original }),
      )
    await writeMark([])
    const settings = await readSettings(backup, encryption)
    const { DATABASE_URL: original } = settings.environment
    if (original) await writeMark(databaseAddresses(original))
    if (!backup.manifest.isExternal) {
      await restoreCluster(backup, { target, encryption, at, isNamed, password: settings.password })
    }
    await writeFiles(backup, { target, encryption })
    const settingsFile = join(target, 'settings.env')
    // The former address would let the copy write to the original's database.
    const external = dumpTarget && { DATABASE_URL: dumpTarget.url }
    await writeSettings(settingsFile, { ...settings.environment, ...external })
    // Last: an error after it would leave a database that is not empty.
    if (dumpTarget) await writeDump(backup, { dumpTarget, encryption, ...settings })
    await rm(join(target, CLAIM))
    return { backup, skipped, settingsFile }
  } catch (error) {
    for (const name of await readdir(target)) await rm(join(target, name), { recursive: true, force: true })
    throw isFullDisk(error) ? noRoom(target, error) : error
  }
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
  /** Without `at`, recovery of a named backup stops where that backup ends. */
  isNamed: boolean
}

interface ClusterOptions extends RecoveryOptions {
  target: string
  encryption: Encryption | null
  password: string
}

async function restoreCluster(
  backup: Backup,
  { target, encryption, at, isNamed, password }: ClusterOptions,
): Promise<void> {
  await writeFile(join(target, 'postgres.password'), password, { mode: 0o600 })
  const installation = await prepareInstallation(
    await postgresBinaries(backup.manifest.postgresMajor),
    target,
  )
  await writeCluster(backup, { installation, encryption })
  await recover(target, { installation, at, isNamed })
}

interface ClusterTarget {
  installation: Installation
  encryption: Encryption | null
}

async function writeCluster(backup: Backup, { installation, encryption }: ClusterTarget): Promise<void> {
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
  await writeLog(backup, { replay: join(data, REPLAY), encryption })
  const { account } = installation
  if (account) await promisify(execFile)('chown', ['-R', `${account.uid}:${account.gid}`, data])
}

/** The archive continues the log of the backup itself. */
async function writeLog(
  { folder, name, manifest }: Backup,
  { replay, encryption }: { replay: string; encryption: Encryption | null },
): Promise<void> {
  await mkdir(replay)
  const first = parseStoredName(manifest.wal[0] ?? '')?.name ?? ''
  const archived = await listArchive(folder, manifest.chain)
  const later = Array.from(archived).filter(([segment]) => segment >= first)
  const paths = [
    ...later.map(([, stored]) => join(archiveFolder(folder, manifest.chain), stored)),
    ...manifest.wal.map((stored) => join(folder, name, stored)),
  ]
  for (const path of paths) {
    // oxlint-disable-next-line no-await-in-loop -- one stream at a time
    await writeSparse(readStoredFile(path, encryption), join(replay, parseStoredName(path)?.name ?? ''))
  }
}

/** A segment that was finished early is mostly zeros, which take no room as a hole in the file. */
async function writeSparse(content: AsyncIterable<Uint8Array>, path: string): Promise<void> {
  const file = await open(path, 'w', 0o600)
  let position = 0
  try {
    for await (const chunk of content) {
      for (let at = 0; at < chunk.length; at += BLOCK_BYTES) {
        const block = chunk.subarray(at, at + BLOCK_BYTES)
        // oxlint-disable-next-line no-await-in-loop -- in order
        if (Buffer.compare(block, ZEROS.subarray(0, block.length)) !== 0)
          await file.write(block, 0, block.length, position + at)
      }
      position += chunk.length
    }
    await file.truncate(position)
  } finally {
    await file.close()
  }
}

async function writeFiles(
  { folder, manifest }: Backup,
  { target, encryption }: { target: string; encryption: Encryption | null },
): Promise<void> {
  const objects = join(target, 'storage', 'objects')
  const stored = await listFiles(folder)
  const listed = manifest.files.map((path) => {
    const name = parseStoredName(path)?.name ?? ''
    return [join(dirname(path), name).replace(/^files\//, ''), path] as const
  })
  for (const [key, path] of new Map([...stored, ...listed])) {
    // oxlint-disable no-await-in-loop -- one stream at a time
    await mkdir(dirname(join(objects, key)), { recursive: true, mode: 0o700 })
    const file = await open(join(objects, key), 'w', 0o600)
    await pipeline(readStoredFile(join(folder, path), encryption), file.createWriteStream())
    // oxlint-enable no-await-in-loop
  }
}

/** Replays the log, lets the database begin its own history, and stops it. */
async function recover(
  target: string,
  { installation, at, isNamed }: RecoveryOptions & { installation: Installation },
): Promise<void> {
  const postgres = await startPostgres(target, {
    startTimeoutMs: RECOVERY_TIMEOUT_MS,
    settings: {
      restore_command: `cp ${REPLAY}/%f %p`,
      hot_standby: 'off',
      archive_mode: 'off',
      ...recoveryTarget({ at, isNamed }),
    },
  }).catch((error: unknown) => {
    if (!(error instanceof Error) || !/before configured recovery target/.test(error.message)) throw error
    throw new DatabaseProblem(
      `the backup ends before ${at?.toISOString()}: leave --at out to restore the newest state`,
    )
  })
  await postgres.stop()
  await rm(join(installation.data, REPLAY), { recursive: true })
}

function recoveryTarget({ at, isNamed }: RecoveryOptions): Record<string, string> {
  if (at)
    return {
      // PostgreSQL knows no abbreviation such as Z this early.
      recovery_target_time: at.toISOString().replace('Z', '+00'),
      recovery_target_inclusive: 'on',
      recovery_target_action: 'promote',
    }
  return isNamed ? { recovery_target: 'immediate', recovery_target_action: 'promote' } : {}
}
