import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { DatabaseProblem } from '#backend/database/database-problem.ts'
import { urlsOf } from '#backend/database/servers/addresses.ts'
import { findPrimary } from '#backend/database/servers/find-primary.ts'
import { withConnection } from '#backend/database/upgrade/connection.ts'
import { LOCK_CLASS } from '#backend/jobs/worker-lock.ts'
import { exists } from '#backend/process/exists.ts'

/** Marks a data folder as a copy, which must not act on the world until `makeLive` removes the mark. */
export const COPY_MARK = 'restored-copy.json'

/** In a folder while a restore writes to it, and after that restore was killed: of two restores at once, one is refused. */
export const CLAIM = 'restoring'

/** `original`: the addresses of the database that the backup was made beside. */
const mark = z.object({ original: z.array(z.string()).default([]) })

/**
 * Whether the data folder is a restored copy that is not live. Throws a DatabaseProblem when its restore is not complete: a start would
 * open an empty shop in the place of a missing database.
 */
export async function isRestoredCopy(dataDir: string): Promise<boolean> {
  if (await exists(join(dataDir, CLAIM))) {
    throw new DatabaseProblem(
      `${join(dataDir, CLAIM)} says that a restore into this folder is running or was killed: wait for its end, or restore into another folder`,
    )
  }
  return exists(join(dataDir, COPY_MARK))
}

/** Lets a complete restored copy send mail and take payments. Returns false when the folder is not a copy. */
export async function makeLive(dataDir: string): Promise<boolean> {
  const isCopy = await isRestoredCopy(dataDir)
  await rm(join(dataDir, COPY_MARK), { force: true })
  return isCopy
}

/** Returns host, port and name of a database on each of its servers, without the password. */
export function databaseAddresses(databaseUrl: string): string[] {
  return urlsOf(databaseUrl).map((url) => {
    const { hostname, port, pathname, searchParams } = new URL(url)
    return `${hostname || searchParams.get('host')}:${port || 5432}${pathname}`
  })
}

/**
 * Throws a DatabaseProblem when a restored copy would open the shop's own database: the one that its backup was made beside, or one
 * on which a shop runs jobs, which a copy never does.
 */
export async function requireOwnDatabase(dataDir: string, databaseUrl: string): Promise<void> {
  const { original } = mark.parse(JSON.parse(await readFile(join(dataDir, COPY_MARK), 'utf8')))
  const isOriginal = databaseAddresses(databaseUrl).some((address) => original.includes(address))
  if (!isOriginal && !(await runsJobs(databaseUrl))) return
  throw new DatabaseProblem(
    `${dataDir} is a restored copy, and DATABASE_URL names the shop's own database: let it name a restored database, or make the copy live with npm run restore -- --make-live ${dataDir}`,
  )
}

async function runsJobs(databaseUrl: string): Promise<boolean> {
  return withConnection(await findPrimary(urlsOf(databaseUrl)), async (client) => {
    const { rowCount } = await client.query(
      `select from pg_locks l join pg_database d on d.oid = l.database
       where d.datname = current_database() and l.locktype = 'advisory' and l.classid = $1`,
      [LOCK_CLASS],
    )
    return rowCount !== 0
  })
}
