import type { Logger } from 'pino'
import { type FileStore, keepBackups, runInOneProcess } from '@saltfreak/backend'
import { environmentToKeep, type Settings } from './settings.ts'

interface BackedUp {
  settings: Pick<Settings, 'backup' | 'databaseUrl' | 'dataDir'>
  files: FileStore
  /** Read for each backup: the process of the database outlives many changes of the settings. */
  environment: () => NodeJS.ProcessEnv
  version: string
  log: Logger
}

/** An advisory lock: the processes of one external database make one backup. */
const BACKUP_LOCK = 1_651_596_139

/**
 * Keeps the backups that the settings ask for, or none. The process that runs the embedded PostgreSQL calls this; with an external
 * one every process may, and one of them does the work.
 */
export function keepShopBackups({ settings, files, environment, version, log }: BackedUp) {
  const { backup, databaseUrl, dataDir } = settings
  if (!backup) return { stop: async () => {}, archiveRest: async () => {} }
  const source = {
    dataDir,
    files,
    databaseUrl,
    version,
    get environment() {
      return environmentToKeep(environment())
    },
  }
  const start = () => keepBackups(source, { ...backup, log })
  if (!databaseUrl) return start()
  // The log of an external database is not archived.
  return { ...runInOneProcess({ databaseUrl, lock: BACKUP_LOCK, start }), archiveRest: async () => {} }
}
