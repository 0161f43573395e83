import type { ServerResponse } from 'node:http'
import {
  closeWebServer,
  createLog,
  createWebServer,
  exitWithError,
  isRestoredCopy,
  listen,
  openStore,
  type Store,
  claimDataFolder,
  startJobs,
  stopOnce,
} from '@saltfreak/backend'
import { createFirstAdmin } from '#server/admins.ts'
import { loadEnvironment } from '#server/environment.ts'
import { describeFirstAdmin, saveFirstAdmin } from '#server/first-admin.ts'
import type { ShopParts } from '#server/shop-parts.ts'
import { loadBuiltShop, loadLiveShop, type LoadedShop } from '#server/load-shop.ts'
import { shopApplication } from '#server/prepare-database.ts'
import { syncPublicAddress } from '#server/public-address.ts'
import { syncRefundMethod } from '#server/refund-method.ts'
import { seedPictures } from '#server/seed-pictures.ts'
import { reportReady } from '#server/service-manager.ts'
import { parseSettings, requireLocalShop, settingsOfCopy } from '#server/settings.ts'
import { keepShopBackups } from '#server/shop-backups.ts'
import { shop } from '#shop'

/** How long a shutdown waits for requests in flight. */
const STOP_TIMEOUT_MS = 3000

const projectFolder = import.meta.dirname
const isDevelopment = process.argv.includes('--dev')
process.env.NODE_ENV ??= isDevelopment ? 'development' : 'production'

let site: LoadedShop | undefined
const web = createWebServer((request, response) =>
  site ? site.listener(request, response) : refuseUntilReady(response),
)

type Close = () => Promise<void>

const opened = openShop()
stopOnce(async () => (await opened)())
opened.catch(exitWithError)

async function openShop(): Promise<Close> {
  const environment = loadEnvironment(process.env, projectFolder)
  const given = parseSettings(environment, projectFolder)
  const isCopy = await isRestoredCopy(given.dataDir)
  const settings = isCopy ? settingsOfCopy(given) : given
  if (isDevelopment) requireLocalShop(settings)
  await claimDataFolder(settings)
  // Listen before opening the database: a used port fails at once, the database takes seconds.
  await listen(web, settings)

  const log = createLog(settings.logLevel)
  const application = await shopApplication()
  const store = await openStore({ ...settings, archivesLog: settings.backup !== null }, application, log)
  try {
    const { database, keys, closing } = store
    await seedPictures({ owner: database.owner, dataDir: settings.dataDir }, projectFolder)
    await syncRefundMethod(database.owner, settings)
    await syncPublicAddress(database.owner, settings)
    const close = await serve({ settings, database, log, keys, closing, isCopy }, store)
    if (store.isShared) return close
    const backups = keepShopBackups({ settings, environment, version: application.release.version, log })
    return async () => {
      await backups.stop()
      await close()
      await backups.archiveRest()
    }
  } catch (error) {
    await store.stop()
    throw error
  }
}

async function serve(parts: ShopParts, store: Store): Promise<Close> {
  const { settings, database, log, isCopy } = parts
  const loaded = isDevelopment ? await loadLiveShop(parts, web) : await loadBuiltShop(parts, projectFolder)
  const { tasks, crontab } = loaded.shop
  // The jobs of a copy belong to the shop that it was copied from: mails, refunds, expiries.
  const jobs = isCopy ? null : await startJobs({ pool: database.owner, log, tasks, crontab })
  const watch = isCopy ? null : loaded.shop.healthWatch.start()
  const { owner } = database
  await createFirstAdmin(owner, settings.adminEmail, (admin) => saveFirstAdmin(settings.dataDir, admin))
  site = loaded
  const sockets = loaded.shop.serveSockets(web)

  const signIn = (await describeFirstAdmin(owner, settings.dataDir)) ?? ''
  const copy = isCopy ? 'This is a restored copy: it sends no mail and takes no payments.\n' : ''
  console.log(`\n${shop.name} is open at ${settings.publicUrl}\n\n${copy}${signIn}`.trimEnd())
  reportReady()
  return async () => {
    await Promise.all([closeWebServer(web, STOP_TIMEOUT_MS), sockets.close(), jobs?.stop(), watch?.stop()])
    await loaded.close()
    await store.stop()
  }
}

function refuseUntilReady(response: ServerResponse): void {
  response.writeHead(503, { 'Retry-After': '1', 'Content-Type': 'text/plain; charset=utf-8' })
  response.end('The shop is starting.\n')
}
