import { randomUUID } from 'node:crypto'
import { readdir, rm, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { Client } from 'pg'
import { z } from 'zod'
import { DatabaseProblem } from '#backend/database/database-problem.ts'
import { postgresUrl, startPostgres } from '#backend/database/embedded.ts'
import { dataPath } from '#backend/database/installation.ts'
import { stopOrphan } from '#backend/database/postmaster.ts'
import { selectRows } from '#backend/database/select-rows.ts'
import { createFolder } from '#backend/process/create-folder.ts'
import { diskSpace } from '#backend/process/disk-space.ts'
import { exists } from '#backend/process/exists.ts'
import { isRunning } from '#backend/process/is-running.ts'
import { objectKey } from '#backend/storage/objects/object-row.ts'
import { type Backup, newestBackup } from './manifest.ts'
import { restoreBackup } from './restore-backup.ts'
import { setAsideDamaged } from './stored-files.ts'

export interface TriedCopy {
  backup: Backup
  /** Connected to the restored database as the owner of the tables. */
  client: Client
  /** A sentence for each damaged backup that was passed over, and for what the copy lacks. */
  skipped: string[]
  /** How many stored files the database knows and the copy lacks. */
  missingFiles: number
}

interface TryOptions {
  /** A folder of backups. */
  from: string
  passphrase: string | null
  /** Holds the copy meanwhile. */
  scratch: string
}

/** `restore-test-<process id>-<number>` */
const SCRATCH_NAME = /^restore-test-(\d+)-/
/** Recovery writes log of its own. */
const RESERVE_BYTES = 1024 ** 3
/** Of a database whose backup does not tell its size. */
const COMPRESSION = 10

/**
 * Restores the newest backup, lets `check` question the copy, and removes the copy. No job of the copy runs. Sets damaged pictures and films
 * aside: the next backup copies them again. Throws a DatabaseProblem when
 * the backup cannot be restored or the disk has no room for the copy.
 */
export async function tryRestore<T>(
  { from, passphrase, scratch }: TryOptions,
  check: (copy: TriedCopy) => Promise<T>,
): Promise<T> {
  await removeTriedCopies(scratch)
  await createFolder(scratch, 0o711)
  const newest = await newestBackup(resolve(from))
  if (newest) {
    requireEmbedded(newest)
    await requireSpace(newest, scratch)
  }
  const into = join(resolve(scratch), `restore-test-${process.pid}-${randomUUID().slice(0, 8)}`)
  try {
    const { backup, skipped } = await restoreBackup({
      from,
      into,
      passphrase,
      durable: false,
      onDamagedFile: setAsideDamaged,
    })
    const postgres = await startPostgres(into, { durable: false })
    const client = new Client({ connectionString: postgresUrl(postgres, 'postgres') })
    try {
      await client.connect()
      return await check({ backup, client, skipped, missingFiles: await countMissingFiles(into, client) })
    } finally {
      await client.end().catch(() => undefined)
      await postgres.stop()
    }
  } finally {
    await remove(into)
  }
}

/** Removes the copies that killed processes left, and stops their databases. */
export async function removeTriedCopies(scratch: string): Promise<void> {
  for (const name of await readdir(scratch).catch((): string[] => [])) {
    const owner = Number(SCRATCH_NAME.exec(name)?.[1])
    // oxlint-disable no-await-in-loop -- rarely more than one
    if (!owner || isRunning(owner)) continue
    await stopOrphan(await dataPath(join(scratch, name)))
    await remove(join(scratch, name))
    // oxlint-enable no-await-in-loop
  }
}

/** Under root, the database may lie outside the folder. A program that a killed process has started may still write to it for a moment. */
async function remove(copy: string): Promise<void> {
  const options = { recursive: true, force: true, maxRetries: 10 }
  await rm(await dataPath(copy), options)
  await rm(copy, options)
}

/** The versions of this machine's PostgreSQL and of the other server may differ. */
function requireEmbedded({ name, manifest }: Backup): void {
  if (!manifest.isExternal) return
  throw new DatabaseProblem(
    `the database of ${name} has a server of its own: restore the backup into an empty database there to test it`,
  )
}

/** A test that fills the disk would stop the application that it protects. */
async function requireSpace({ folder, name, manifest }: Backup, scratch: string): Promise<void> {
  const sizes = await Promise.all(manifest.files.map((path) => sizeOf(join(folder, path))))
  const database =
    manifest.databaseBytes ?? COMPRESSION * (await sizeOf(join(folder, name, manifest.database ?? '')))
  const needed = sizes.reduce((sum, size) => sum + size, database + RESERVE_BYTES)
  const { freeBytes } = await diskSpace(scratch)
  if (freeBytes >= needed) return
  throw new DatabaseProblem(
    `restoring ${name} needs ${megabytes(needed)} MB in ${scratch}, but only ${megabytes(freeBytes)} MB are free: free some space`,
  )
}

async function sizeOf(path: string): Promise<number> {
  return (await stat(path).catch(() => null))?.size ?? 0
}

const storedVersion = z.object({ version: z.string() })

async function countMissingFiles(copy: string, client: Client): Promise<number> {
  const rows = await selectRows(client, storedVersion, [
    'select version from storage.objects where version is not null',
  ])
  let missing = 0
  for (const { version } of rows) {
    // oxlint-disable-next-line no-await-in-loop -- thousands of files at once would use up the descriptors
    if (!(await exists(join(copy, 'storage', objectKey(version))))) missing += 1
  }
  return missing
}

function megabytes(bytes: number): number {
  return Math.ceil(bytes / 1024 / 1024)
}
