import { access, constants, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { pino, type Logger } from 'pino'
import {
  type DatabasePools,
  DatabaseProblem,
  type EmbeddedPostgres,
  findRunningPostgres,
  finishUpgrade,
  openDatabase,
  type PostgresAddress,
  postgresUrl,
  requireReachable,
  requireUnused,
  startForUpgrade,
  startPostgres,
} from '@saltfreak/backend'
import { type DatabaseServer, inspectShop, prepareShop, shopRelease } from './prepare-database.ts'
import type { Settings } from './settings.ts'

export interface OpenDatabase {
  database: DatabasePools
  /** Aborted when shutdown begins. */
  closing: AbortSignal
  stop(): Promise<void>
}

/** Opens and upgrades the shop's database: an embedded one in the data folder, or the one at `DATABASE_URL`. */
export async function openShopDatabase(settings: Settings, log: Logger): Promise<OpenDatabase> {
  if (settings.databaseUrl) {
    const url = settings.databaseUrl
    await requireReachable(url)
    return open({ url, superuserUrl: url, stop: async () => {} }, log)
  }
  const postgres = await startForUpgrade(settings.dataDir, {
    version: (await shopRelease()).version,
    inspect: (server) => inspectShop(addressesOf(server)),
    log,
  })
  const stop = restartOnExit(postgres, settings.dataDir, log)
  try {
    const store = await open({ ...addressesOf(postgres), stop }, log)
    await finishUpgrade(settings.dataDir, { kind: postgres.kind, log })
    return store
  } catch (error) {
    await stop()
    throw error
  }
}

/** For command-line scripts: connects to the database of a running shop, or starts it for the duration of `work`. */
export async function withShopDatabase<T>(
  settings: Settings,
  work: (database: DatabasePools) => Promise<T>,
): Promise<T> {
  const running = settings.databaseUrl ? null : await findRunningPostgres(settings.dataDir)
  const store = running
    ? connectTo(postgresUrl(running, 'postgres'))
    : await openShopDatabase(settings, pino({ level: 'silent' }))
  try {
    return await work(store.database)
  } finally {
    await store.stop()
  }
}

function connectTo(url: string) {
  const database = openDatabase(url)
  return { database, stop: () => database.close() }
}

function addressesOf(postgres: PostgresAddress): DatabaseServer {
  return { url: postgresUrl(postgres, 'postgres'), superuserUrl: postgresUrl(postgres, 'supabase_admin') }
}

interface Server extends DatabaseServer {
  stop(): Promise<void>
}

async function open(server: Server, log: Logger): Promise<OpenDatabase> {
  await prepareShop(server)

  const closing = new AbortController()
  const database = openDatabase(server.url, {
    onConnectionLost(error) {
      if (!closing.signal.aborted) log.warn({ reason: error.message }, 'a database connection was lost')
    },
  })
  return {
    database,
    closing: closing.signal,
    async stop() {
      closing.abort()
      await database.close()
      await server.stop()
    },
  }
}

/** Restarts PostgreSQL on the same port when it exits unexpectedly, so that connection pools reconnect. */
function restartOnExit(first: EmbeddedPostgres, dataDir: string, log: Logger): () => Promise<void> {
  let current = first
  let isStopping = false

  async function watch(): Promise<void> {
    await current.ended
    if (isStopping) return
    log.error('PostgreSQL exited unexpectedly; restarting it')
    current = await startPostgres(dataDir, { port: first.port })
    return watch()
  }
  watch().catch((error: unknown) => log.fatal({ err: error }, 'PostgreSQL could not be restarted'))

  return async () => {
    isStopping = true
    await current.stop()
  }
}

/** Creates the data folder. Throws when it is not writable or another process uses it. */
export async function claimDataFolder({ dataDir: folder, databaseUrl }: Settings): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o711 })
    await mkdir(join(folder, 'storage'), { recursive: true, mode: 0o700 })
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch {
    throw new DatabaseProblem(`the data folder ${folder} is not writable: give DATA_DIR a folder that is`)
  }
  if (!databaseUrl) await requireUnused(folder)
}
