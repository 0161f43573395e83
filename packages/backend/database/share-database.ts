import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { ARCHIVE_SETTINGS } from '#backend/backup/wal-archive.ts'
import { type EmbeddedOptions, isFreePort, startPostgres } from './embedded.ts'
import { keepPostgresRunning } from './keep-postgres-running.ts'

interface SharedPlace {
  dataDir: string
  /** Makes PostgreSQL hand over its log for `keepBackups`. */
  archivesLog?: boolean
}

/**
 * Runs the embedded PostgreSQL of a data folder for other processes, such as two versions of an application during an update. Keeps
 * its port when it starts again, because their connection pools have it.
 */
export async function shareDatabase(
  { dataDir, archivesLog }: SharedPlace,
  log: Logger,
): Promise<{ stop(): Promise<void> }> {
  const portFile = join(dataDir, 'postgres.port')
  const former = Number(await readFile(portFile, 'utf8').catch(() => ''))
  const port = former && (await isFreePort(former)) ? { port: former } : {}
  const options = { ...postgresOptions(archivesLog), isShared: true }
  const postgres = await startPostgres(dataDir, { ...options, ...port })
  await writeFile(portFile, String(postgres.port), { mode: 0o600 })
  return { stop: keepPostgresRunning(postgres, { dataDir, options, log }) }
}

export function postgresOptions(archivesLog = false): EmbeddedOptions {
  return { settings: archivesLog ? ARCHIVE_SETTINGS : {} }
}
