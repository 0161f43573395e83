import type { Logger } from 'pino'
import { keepBackups } from '@saltfreak/backend'
import { environmentToKeep, type Settings } from './settings.ts'

interface BackedUp {
  settings: Pick<Settings, 'backup' | 'databaseUrl' | 'dataDir'>
  environment: NodeJS.ProcessEnv
  version: string
  log: Logger
}

/** Keeps the backups that the settings ask for, or none. The process that runs the embedded PostgreSQL calls this, if there is one. */
export function keepShopBackups({ settings, environment, version, log }: BackedUp) {
  const { backup, databaseUrl, dataDir } = settings
  if (!backup) return { stop: async () => {}, archiveRest: async () => {} }
  const source = { dataDir, databaseUrl, version, environment: environmentToKeep(environment) }
  return keepBackups(source, { ...backup, log })
}
