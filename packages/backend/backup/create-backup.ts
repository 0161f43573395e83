import { createReadStream } from 'node:fs'
import { access, constants, readdir, readFile, realpath, rename, rm } from 'node:fs/promises'
import { join, resolve, sep } from 'node:path'
import { Readable } from 'node:stream'
import { Client } from 'pg'
import { z } from 'zod'
import { DatabaseProblem } from '#backend/database/database-problem.ts'
import { dataPath } from '#backend/database/installation.ts'
import { selectRow } from '#backend/database/select-rows.ts'
import { withServer } from '#backend/database/with-server.ts'
import { createFolder } from '#backend/process/create-folder.ts'
import type { FileStore } from '#backend/storage/files/file-store.ts'
import { filesOf } from '#backend/storage/files/open-files.ts'
import { dumpDatabase } from './database-dump.ts'
import { openEncryption } from './encryption.ts'
import { BACKUP_FOLDER_FILE, hasLostBackups } from './lost-backups.ts'
import {
  type Backup,
  backupNameOf,
  type DatabasePart,
  FORMATS,
  listBackups,
  type Manifest,
  readBackup,
} from './manifest.ts'
import {
  listStored,
  parseStoredName,
  storedFileKey,
  type StoredFileOptions,
  writeStoredFile,
} from './stored-files.ts'
import { storeOutput } from './stream-program.ts'
import { isSegment, loadChain, SPOOL } from './wal-archive.ts'

export interface BackupSource {
  dataDir: string
  /** By default those of the data folder. */
  files?: FileStore
  /** Of a database with its own server; by default the one in the data folder. */
  databaseUrl?: string | null
  /** Folders that may contain its `pg_dump`; for tests. */
  programs?: string[]
  /** Version of the application. */
  version: string
  /** Settings to keep with the data, so that a new machine can be set up. */
  environment: Record<string, string>
}

export interface BackupTarget {
  folder: string
  /** Null stores the backup unencrypted. */
  passphrase: string | null
  /** Cost of guessing the passphrase, as a power of two; for tests. */
  scryptWorkFactor?: number
  /** Aborts the backup and removes what it has written. */
  signal?: AbortSignal | undefined
}

/** What a base backup does not need; recovery creates it anew. */
const LEFT_OUT = [
  'pg_wal/*',
  'pg_replslot/*',
  'pg_dynshmem/*',
  'pg_notify/*',
  'pg_serial/*',
  'pg_snapshots/*',
  'pg_stat_tmp/*',
  'pg_subtrans/*',
  'postmaster.pid',
  'postmaster.opts',
  'backup_label',
  `${SPOOL}/*`,
].map((path) => `--exclude=./${path}`)

/**
 * Backs up the database and the files of a data folder, while the application runs or not. A backup of an external database lacks it
 * when there is no `pg_dump` of the server's version (`whyWithoutDatabase`). Throws a DatabaseProblem when the target is not writable,
 * full, or in the data folder; nothing is left there then.
 */
export async function createBackup(source: BackupSource, target: BackupTarget): Promise<Backup> {
  const folder = resolve(target.folder)
  await requireTarget(folder, source.dataDir)
  return explainFullDisk(folder, async () => {
    const encryption = await openEncryption(folder, target.passphrase, { ...target, create: true })
    const open = { folder, encryption, signal: target.signal }
    const { dataDir, databaseUrl, programs } = source
    if (databaseUrl) {
      return writeBackup(source, open, async (place) => {
        const { part, databaseSettings } = await dumpDatabase(
          { dataDir, databaseUrl },
          { ...place, programs },
        )
        return { part, settings: { databaseSettings } }
      })
    }
    return withServer({ databaseUrl: null, dataDir }, ({ superuserUrl }) =>
      writeBackup(source, open, async (place) => ({
        part: await copyCluster(dataDir, { ...place, url: superuserUrl }),
        settings: { password: await readFile(join(dataDir, 'postgres.password'), 'utf8') },
      })),
    )
  })
}

type OpenTarget = Pick<StoredFileOptions, 'folder' | 'encryption' | 'signal'>

interface ClusterTarget extends OpenTarget {
  /** Of the database, as its superuser. */
  url: string
}

interface WrittenDatabase {
  part: DatabasePart
  /** Kept with the settings, which only a passphrase protects. */
  settings: { password: string } | { databaseSettings: string[] }
}

async function writeBackup(
  source: BackupSource,
  target: OpenTarget,
  writeDatabase: (place: OpenTarget) => Promise<WrittenDatabase>,
): Promise<Backup> {
  const { folder } = target
  const startedAt = new Date()
  const name = await unusedBackupName(folder, startedAt)
  const unfinished = { ...target, folder: join(folder, `${name}.unfinished`) }
  await rm(unfinished.folder, { recursive: true, force: true })
  try {
    // Before and after: a file whose row the database still has must not be removed between the two.
    await copyFiles(source, target)
    const database = await writeDatabase(unfinished)
    const settings = { environment: source.environment, ...database.settings }
    const manifest: Manifest = {
      ...database.part,
      version: source.version,
      startedAt: startedAt.toISOString(),
      settings: await writeStoredFile('settings.json', json(settings), unfinished),
      files: await copyFiles(source, target),
    }
    await writeStoredFile('manifest.json', json(manifest), {
      ...unfinished,
      encryption: null,
      compress: false,
    })
    await rename(unfinished.folder, join(folder, name))
  } catch (error) {
    await rm(unfinished.folder, { recursive: true, force: true })
    throw error
  }
  return readBackup(folder, name)
}

/** Names tell seconds: of two backups in one, the second takes the next. */
async function unusedBackupName(folder: string, from: Date): Promise<string> {
  const taken = await listBackups(folder)
  let moment = from
  while (taken.includes(backupNameOf(moment))) moment = new Date(moment.getTime() + 1000)
  return backupNameOf(moment)
}

const started = z.object({ segment: z.string(), major: z.number() })
const stopped = z.object({ segment: z.string(), label: z.string(), moment: z.date() })

/** Copies the database's files and the log that was written meanwhile, which makes the copy consistent. */
async function copyCluster(dataDir: string, { url, ...place }: ClusterTarget): Promise<DatabasePart> {
  const data = await dataPath(resolve(dataDir))
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    // PostgreSQL keeps the log for a slot; a temporary one ends with the connection.
    await client.query(`select pg_create_physical_replication_slot('backup_${process.pid}', true, true)`)
    const { segment: first, major } = await selectRow(client, started, [
      `select pg_walfile_name(pg_backup_start('backup', true)) as segment,
              current_setting('server_version_num')::int / 10000 as major`,
    ])
    const archive = await writeArchive(data, place)
    const {
      segment: last,
      label,
      moment,
    } = await selectRow(client, stopped, [
      `select pg_walfile_name(b.lsn) as segment, b.labelfile as label, clock_timestamp() as moment from pg_backup_stop(false) b`,
    ])
    await client.query('select pg_switch_wal()')
    const wal = await writeSegments(data, { ...place, first, last })
    return {
      ...archive,
      format: FORMATS.embedded,
      isExternal: false,
      chain: await loadChain(dataDir),
      wal,
      postgresMajor: major,
      backupLabel: label,
      endedAt: moment.toISOString(),
    }
  } finally {
    await client.end()
  }
}

async function writeArchive(
  data: string,
  place: OpenTarget,
): Promise<Pick<DatabasePart, 'database' | 'databaseBytes'>> {
  const tar = { command: 'tar', args: ['--create', '--file=-', `--directory=${data}`, ...LEFT_OUT, '.'] }
  const { stored, bytes, code, errors } = await storeOutput(tar, 'database.tar', place)
  // 1: a file changed meanwhile, which the log repairs.
  if (code !== 0 && code !== 1) throw new DatabaseProblem(`copying the database fails: ${errors}`)
  return { database: stored, databaseBytes: bytes }
}

async function writeSegments(
  data: string,
  { first, last, ...place }: OpenTarget & { first: string; last: string },
): Promise<string[]> {
  const names = await readdir(join(data, 'pg_wal'))
  const needed = names.filter((name) => isSegment(name) && name >= first && name <= last).toSorted()
  const stored: string[] = []
  for (const name of needed) {
    // oxlint-disable-next-line no-await-in-loop -- one stream at a time
    stored.push(await writeStoredFile(`wal/${name}`, createReadStream(join(data, 'pg_wal', name)), place))
  }
  return stored
}

/**
 * Copies the stored files that the backup folder lacks: their content never changes, so all backups share one copy. Returns the paths in
 * the backup folder of all that exist now.
 */
export async function copyFiles(
  { dataDir, files = filesOf(dataDir) }: Pick<BackupSource, 'dataDir' | 'files'>,
  target: OpenTarget,
): Promise<string[]> {
  const existing = await listFiles(target.folder)
  const paths: string[] = []
  for await (const stored of files.keys(OBJECTS)) {
    const key = stored.slice(OBJECTS.length + 1)
    const path = existing.get(key) ?? (await copyFile(files, { ...target, key }))
    if (path) paths.push(path)
  }
  return paths
}

const OBJECTS = 'objects'
/** Of the disk, and of the file store. */
const MISSING = new Set<unknown>(['ENOENT', 'NoSuchKey'])

async function copyFile(
  files: FileStore,
  { key, ...target }: OpenTarget & { key: string },
): Promise<string | null> {
  try {
    return await writeStoredFile(
      `files/${key}`,
      Readable.from(await files.read(`${OBJECTS}/${key}`), { objectMode: false }),
      { ...target, compress: false },
    )
  } catch (error) {
    // Deleted meanwhile.
    if (error instanceof Error && 'code' in error && MISSING.has(error.code)) return null
    throw error
  }
}

/** Returns the files of a backup folder by key: paths in the folder. */
export async function listFiles(folder: string): Promise<Map<string, string>> {
  const paths = (await listStored(join(folder, 'files'))).map((path) => join('files', path))
  return new Map(paths.filter(parseStoredName).map((path) => [storedFileKey(path) ?? '', path]))
}

/**
 * Throws a DatabaseProblem when the folder is not writable, is in the data folder, or has lost its backups: backups must not contain
 * themselves, nor fill the system's disk while their own is not mounted.
 */
export async function requireTarget(folder: string, dataDir: string): Promise<void> {
  try {
    await createFolder(folder, 0o700)
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch {
    throw new DatabaseProblem(`the backup folder ${folder} is not writable: choose one that is`)
  }
  const target = await realpath(folder)
  const data = await realpath(dataDir).catch(() => {
    throw new DatabaseProblem(`there is no data folder ${dataDir}: give DATA_DIR the one of the shop`)
  })
  if (`${target}${sep}`.startsWith(`${data}${sep}`)) {
    throw new DatabaseProblem(`the backup folder ${folder} is in the data folder: choose one on another disk`)
  }
  // Backups would fill the system's disk, and be lost with it.
  if (await hasLostBackups(folder, dataDir)) {
    throw new DatabaseProblem(
      `the backups in ${folder} are gone: mount its drive, or delete ${join(dataDir, BACKUP_FOLDER_FILE)} to begin anew`,
    )
  }
}

async function explainFullDisk<T>(folder: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT')) {
      throw new DatabaseProblem(
        `the disk of the backup folder ${folder} is full: free some space and try again`,
        {
          cause: error,
        },
      )
    }
    throw error
  }
}

function json(value: unknown): Uint8Array[] {
  return [Buffer.from(JSON.stringify(value, null, 2))]
}
