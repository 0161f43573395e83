import { resolve } from 'node:path'
import {
  claimDataFolder,
  createLog,
  exitWithError,
  InvalidSettings,
  isRestoredCopy,
  openFiles,
  shareDatabase,
  stopOnce,
} from '@saltfreak/backend'
import { loadEnvironment } from '#server/environment.ts'
import { shopApplication } from '#server/prepare-database.ts'
import { extendStart, reportReady } from '#server/service-manager.ts'
import { parseSettings, settingsOfCopy } from '#server/settings.ts'
import { keepShopBackups } from '#server/shop-backups.ts'

/** PostgreSQL's last checkpoint may take this long; killed before, it would have to recover at its next start. */
const CHECKPOINT_MS = 50_000

const opened = openDatabase()
stopOnce(
  async () => (await opened)(),
  () => CHECKPOINT_MS,
)
opened.catch(exitWithError)

/**
 * `npm run database`: runs the embedded PostgreSQL and its backups in a process of their own, so that two versions of the shop can
 * use the data folder during an update.
 */
async function openDatabase(): Promise<() => Promise<void>> {
  const projectFolder = resolve(import.meta.dirname, '..')
  const environment = () => loadEnvironment(process.env, projectFolder)
  const given = parseSettings(environment(), projectFolder)
  if (given.databaseUrl) {
    throw new InvalidSettings(
      'DATABASE_URL names a PostgreSQL that runs already: unset it, or do without npm run database',
    )
  }
  const settings = (await isRestoredCopy(given.dataDir)) ? settingsOfCopy(given) : given
  await claimDataFolder(settings)
  const log = createLog(settings.logLevel)
  const application = await shopApplication()
  let stopExtending: (() => void) | undefined
  const database = await shareDatabase(
    {
      ...settings,
      archivesLog: settings.backup !== null,
      application,
      onMoving: () => void (stopExtending ??= extendStart()),
    },
    log,
  )
  stopExtending?.()
  const { release } = application
  // The database must open while the S3 server does not answer: a backup that fails is repeated.
  const files = await openFiles(settings, log, { isChecked: true })
  const backups = keepShopBackups({ settings, files, environment, version: release.version, log })
  console.log(`The database in ${settings.dataDir} is running`)
  reportReady()
  return async () => {
    await backups.stop()
    await database.stop()
    await backups.archiveRest()
  }
}
