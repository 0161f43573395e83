import type { Logger } from 'pino'
import { keepBackups } from '@saltfreak/backend'
import { environmentToKeep, type Settings } from './settings.ts'

interface BackedUp {
  settings: Pick<Settings, 'backup' | 'dataDir'>
  environment: NodeJS.ProcessEnv
  version: string
  log: Logger
}

/** Keeps the backups that the settings ask for, or none. The process that runs the embedded PostgreSQL calls this. */
export function keepShopBackups({ settings: { backup, dataDir }, environment, version, log }: BackedUp) {
  if (!backup) return { stop: async () => {}, archiveRest: async () => {} }
  const source = { dataDir, version, environment: environmentToKeep(environment) }
  return keepBackups(source, { ...backup, log })
}
