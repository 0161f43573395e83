import cluster from 'node:cluster'
import type { Logger } from 'pino'
import {
  type Application,
  createLog,
  type FileStore,
  isRestoredCopy,
  openFiles,
  requireOwnDatabase,
} from '@saltfreak/backend'
import { loadEnvironment } from '../environment.ts'
import { shopApplication } from '../prepare-database.ts'
import { parseSettings, requireLocalShop, type Settings, settingsOfCopy } from '../settings.ts'

/** What a start of the shop knows before it opens the database. */
export interface ShopStart {
  projectFolder: string
  /** Hot reload, which Vite serves from one process. */
  isDevelopment: boolean
  environment: NodeJS.ProcessEnv
  settings: Settings
  files: FileStore
  application: Application
  log: Logger
  /** A restored backup that has not been made live. */
  isCopy: boolean
  /** Aborted when shutdown begins. */
  stopping: AbortSignal
}

export type Close = () => Promise<void>

/** Reads the settings and opens the file store. Throws an error of one line for wrong settings. */
export async function readShopStart(
  start: Pick<ShopStart, 'projectFolder' | 'isDevelopment' | 'stopping'>,
): Promise<ShopStart> {
  const { projectFolder, isDevelopment } = start
  const environment = loadEnvironment(process.env, projectFolder)
  const given = parseSettings(environment, projectFolder)
  const isCopy = await isRestoredCopy(given.dataDir)
  if (isCopy && given.databaseUrl && cluster.isPrimary)
    await requireOwnDatabase(given.dataDir, given.databaseUrl)
  const settings = isCopy ? settingsOfCopy(given) : given
  if (isDevelopment) {
    requireLocalShop(settings)
    settings.processes = 1
  }
  const base = cluster.isWorker || settings.processes > 1 ? { pid: process.pid } : null
  const log = createLog(settings.logLevel, base)
  const files = await openFiles(settings, log, { isChecked: cluster.isWorker })
  return { ...start, environment, settings, files, isCopy, application: await shopApplication(), log }
}
