import type { Logger } from 'pino'
import type { ClientKeys, DatabasePools, diskSpace, FileStore } from '@saltfreak/backend'
import type { Settings } from './settings.ts'

export interface ShopParts {
  settings: Settings
  database: DatabasePools
  keys: ClientKeys
  files: FileStore
  log: Logger
  /** A restored backup that has not been made live: no job runs, and every page says so. */
  isCopy?: boolean
  /** For tests. */
  spaceOf?: typeof diskSpace
  /** Aborted when shutdown begins, while requests are still answered. */
  stopping?: AbortSignal
  /** Aborted before the database closes, so that listeners release their connections. */
  closing?: AbortSignal
}
