import { resolve } from 'node:path'
import { exists } from '#backend/process/exists.ts'
import { DatabaseProblem } from './database-problem.ts'
import {
  findRunningPostgres,
  findSharedPostgres,
  type PostgresAddress,
  postgresUrl,
  requireUnused,
  startPostgres,
} from './embedded.ts'
import { dataPath } from './installation.ts'
import type { DatabaseServer } from './prepare-application.ts'
import { urlsOf } from './servers/addresses.ts'
import { findPrimary } from './servers/find-primary.ts'

/** Where a database is: on a server of its own, or, without an address, in the data folder. */
export interface DatabasePlace {
  databaseUrl: string | null
  dataDir: string
}

type Work<T> = (server: DatabaseServer) => Promise<T>

/** Runs `work` on the server of a place, which another process may use, too. Starts an embedded PostgreSQL for its duration. */
export async function withServer<T>({ databaseUrl, dataDir }: DatabasePlace, work: Work<T>): Promise<T> {
  if (databaseUrl) return work(await externalServer(databaseUrl))
  const running = await findRunningPostgres(dataDir)
  return running ? work(embeddedServer(running)) : withStarted(dataDir, work)
}

/** Like `withServer`, but throws when a shop runs on the data folder. */
export async function withUnusedServer<T>(place: DatabasePlace, work: Work<T>): Promise<T> {
  const { databaseUrl, dataDir } = place
  if (databaseUrl) return work(await externalServer(databaseUrl))
  await requireUnused(dataDir)
  const shared = await findSharedPostgres(dataDir)
  return shared ? work(embeddedServer(shared)) : withStarted(dataDir, work)
}

/** Whether there is a database; one with a server of its own counts as existing. */
export async function isExistingPlace({ databaseUrl, dataDir }: DatabasePlace): Promise<boolean> {
  return databaseUrl !== null || exists(await dataPath(resolve(dataDir)))
}

export async function requireExisting(place: DatabasePlace): Promise<void> {
  if (await isExistingPlace(place)) return
  throw new DatabaseProblem(`there is no database in ${place.dataDir} yet: start the shop first`)
}

async function withStarted<T>(dataDir: string, work: Work<T>): Promise<T> {
  const postgres = await startPostgres(dataDir)
  try {
    return await work(embeddedServer(postgres))
  } finally {
    await postgres.stop()
  }
}

async function externalServer(databaseUrl: string): Promise<DatabaseServer> {
  const url = await findPrimary(urlsOf(databaseUrl))
  return { url, superuserUrl: url }
}

export function embeddedServer(postgres: PostgresAddress): DatabaseServer {
  return { url: postgresUrl(postgres, 'postgres'), superuserUrl: postgresUrl(postgres, 'supabase_admin') }
}
