import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { ARCHIVE_SETTINGS } from '#backend/backup/wal-archive.ts'
import { isFreePort } from '#backend/process/free-port.ts'
import { type EmbeddedOptions, startPostgres } from './embedded.ts'
import { PORT_FILE } from './installation.ts'
import { keepPostgresRunning } from './keep-postgres-running.ts'
import { sweepFormerClusters } from './major/clusters.ts'
import { moveToNewestMajor } from './major/move-to-newest.ts'
import { maxConnectionsFor } from './pool-sizes.ts'
import type { Application } from './prepare-application.ts'

/** PostgreSQL's own. */
const DEFAULT_MAX_CONNECTIONS = 100

interface SharedPlace {
  dataDir: string
  /** Makes PostgreSQL hand over its log for `keepBackups`. */
  archivesLog?: boolean | undefined
  /** How many processes of each version use it. */
  processes?: number
  /** How many connections each process opens at most, as in `openStore`. */
  connections?: number | undefined
  /** Whose tables the database holds: lets it move to a newer PostgreSQL. */
  application?: Application
  /** As in `openStore`. */
  onMoving?: (percent: number) => void | Promise<void>
}

/**
 * Runs the embedded PostgreSQL of a data folder for other processes, such as two versions of an application during an update. Keeps
 * its port when it starts again, because their connection pools have it.
 */
export async function shareDatabase(
  { dataDir, application, onMoving, ...place }: SharedPlace,
  log: Logger,
): Promise<{ stop(): Promise<void> }> {
  if (application) await moveToNewestMajor(dataDir, { application, log, onMoving })
  const portFile = join(dataDir, PORT_FILE)
  const former = Number(await readFile(portFile, 'utf8').catch(() => ''))
  const port = former && (await isFreePort(former)) ? { port: former } : {}
  const options = { ...postgresOptions(place), isShared: true }
  const postgres = await startPostgres(dataDir, { ...options, ...port })
  sweepFormerClusters(dataDir, log)
  await writeFile(portFile, String(postgres.port), { mode: 0o600 })
  return { stop: keepPostgresRunning(postgres, { dataDir, options, log }) }
}

export function postgresOptions({
  archivesLog,
  processes = 1,
  connections,
}: Omit<SharedPlace, 'dataDir'>): EmbeddedOptions {
  const needed = Math.max(maxConnectionsFor({ processes, connections }), DEFAULT_MAX_CONNECTIONS)
  return { settings: { ...(archivesLog && ARCHIVE_SETTINGS), max_connections: String(needed) } }
}
