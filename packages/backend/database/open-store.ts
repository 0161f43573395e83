import { access, constants } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { type ClientKeys, loadClientKeys } from '#backend/auth/keys/client-keys.ts'
import { createFolder } from '#backend/process/create-folder.ts'
import { DatabaseProblem } from './database-problem.ts'
import { findSharedPostgres, requireUnused } from './embedded.ts'
import { keepPostgresRunning } from './keep-postgres-running.ts'
import { sweepFormerClusters } from './major/clusters.ts'
import { moveToNewestMajor } from './major/move-to-newest.ts'
import { requireNotMoved } from './move/moved-mark.ts'
import { type DatabasePools, openDatabase } from './pool.ts'
import {
  type Application,
  type DatabaseServer,
  inspectApplication,
  prepareApplication,
} from './prepare-application.ts'
import { minConnections, poolSizesFor } from './pool-sizes.ts'
import { requireUsable } from './servers/require-usable.ts'
import { postgresOptions } from './share-database.ts'
import type { Plan } from './upgrade/plan.ts'
import { embeddedServer, requireExisting, withServer } from './with-server.ts'
import { finishUpgrade, startForUpgrade } from './upgrade/copy-before-upgrade.ts'

export interface StorePlace {
  /** Null runs a PostgreSQL in the data folder. */
  databaseUrl: string | null
  dataDir: string
  /** Makes the embedded PostgreSQL hand over its log for `keepBackups`. */
  archivesLog?: boolean
  /** Another process runs the PostgreSQL in the data folder (`shareDatabase`); this one must not start it. */
  usesSharedDatabase?: boolean
  /** How many processes like this one use the database: its connections are divided among them. 1 by default. */
  processes?: number
  /** How many connections a process opens at most for requests and jobs. 30 by default. */
  connections?: number
  /** Called while the embedded database moves to a newer PostgreSQL, which takes seconds to minutes, with the part that is done. */
  onMoving?: (percent: number) => void | Promise<void>
}

export interface Store {
  database: DatabasePools
  keys: ClientKeys
  /** Aborted when shutdown begins. */
  closing: AbortSignal
  stop(): Promise<void>
  /** Another process runs the embedded PostgreSQL and keeps its backups (`shareDatabase`). */
  isShared: boolean
}

/** Opens and upgrades an application's database: an embedded one in the data folder, or the one at `databaseUrl`. */
export async function openStore(place: StorePlace, application: Application, log: Logger): Promise<Store> {
  const {
    databaseUrl,
    dataDir,
    archivesLog,
    usesSharedDatabase,
    processes = 1,
    connections,
    onMoving,
  } = place
  await requireNotMoved(place)
  const user = { application, log, processes, connections }
  if (databaseUrl) return openExternal(databaseUrl, user)
  const shared = await findSharedPostgres(dataDir)
  // Other processes use it: it cannot be stopped for a copy of its files, and its owner keeps the backups.
  if (shared)
    return {
      ...(await open({ ...embeddedServer(shared), stop: keepRunning }, user)),
      isShared: true,
    }
  if (usesSharedDatabase) {
    throw new DatabaseProblem(`no process shares the database in ${dataDir}: start npm run database first`)
  }
  await moveToNewestMajor(dataDir, { application, log, onMoving })
  const options = postgresOptions({ archivesLog, processes, connections })
  const postgres = await startForUpgrade(dataDir, {
    version: application.release.version,
    inspect: (server) => inspectApplication(embeddedServer(server), application),
    log,
    postgres: options,
  })
  const stop = keepPostgresRunning(postgres, { dataDir, options, log })
  try {
    const store = await open({ ...embeddedServer(postgres), stop }, user)
    await finishUpgrade(dataDir, { kind: postgres.kind, log })
    sweepFormerClusters(dataDir, log)
    return store
  } catch (error) {
    await stop()
    throw error
  }
}

async function openExternal(databaseUrl: string, user: StoreUser): Promise<Store> {
  const { extensions = [] } = user.application
  const { primary, warning } = await requireUsable(databaseUrl, {
    connections: minConnections(user),
    extensions,
  })
  if (warning) user.log.warn({}, warning)
  return open({ url: primary, superuserUrl: primary, databaseUrl, stop: keepRunning }, user)
}

/**
 * For command-line scripts: connects to the database of a running application, or starts it for the duration of `work`. Never
 * upgrades: throws a DatabaseProblem when the database does not have this version's tables.
 */
export async function withStore<T>(
  place: StorePlace,
  application: Application,
  work: (store: Pick<Store, 'database' | 'keys'>) => Promise<T>,
): Promise<T> {
  await requireNotMoved(place)
  await requireExisting(place)
  return withServer(place, async (server) => {
    requireUpgraded(await inspectApplication(server, application), application.release.version)
    const database = openDatabase(server.url)
    try {
      return await work({ database, keys: await loadClientKeys(database.owner) })
    } finally {
      await database.close()
    }
  })
}

/** The server belongs to another process. */
async function keepRunning(): Promise<void> {}

function requireUpgraded(plan: Plan['kind'], version: string): void {
  if (plan === 'fresh' || plan === 'upgrade' || plan === 'adopt') {
    throw new DatabaseProblem(
      `the database does not have version ${version} yet: start this version of the shop, then repeat the command`,
    )
  }
}

interface Server extends DatabaseServer {
  /** With all servers; `url` by default. */
  databaseUrl?: string
  stop(): Promise<void>
}

interface StoreUser {
  application: Application
  log: Logger
  processes: number
  connections: number | undefined
}

async function open(server: Server, user: StoreUser): Promise<Store> {
  const { application, log } = user
  await prepareApplication(server, application)

  const closing = new AbortController()
  const database = openDatabase(server.databaseUrl ?? server.url, {
    primary: server.url,
    ...(await poolSizesFor(server.url, user)),
    onConnectionLost(error) {
      if (!closing.signal.aborted) log.warn({ err: error }, 'a database connection was lost')
    },
    onSwitch: (host) => log.warn({ host }, 'the database has another primary server'),
    silence: { log },
  })
  return {
    database,
    keys: await loadClientKeys(database.owner),
    closing: closing.signal,
    isShared: false,
    async stop() {
      closing.abort()
      await database.close()
      await server.stop()
    },
  }
}

/** Creates the data folder. Throws when it is not writable or another process uses it. */
export async function claimDataFolder({ dataDir: folder, databaseUrl }: StorePlace): Promise<void> {
  try {
    await createFolder(folder, 0o711)
    await createFolder(join(folder, 'storage'), 0o700)
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch {
    throw new DatabaseProblem(`the data folder ${folder} is not writable: give DATA_DIR a folder that is`)
  }
  if (!databaseUrl) await requireUnused(folder)
}
