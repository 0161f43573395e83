import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import {
  closeWebServer,
  createLog,
  createWebServer,
  exitWithError,
  isRestoredCopy,
  limitConnections,
  listen,
  openStore,
  requireFreePort,
  requireOpenFiles,
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

/** How long a failed start waits for its database connections. */
const ABORT_TIMEOUT_MS = 5000

let site: LoadedShop | undefined
let stopDelayMs = 0
const stopping = new AbortController()
const web = createWebServer(answer)

type Close = () => Promise<void>

const opened = openShop()
stopOnce(
  async () => {
    stopping.abort()
    await (
      await opened
    )()
  },
  () => stopDelayMs,
)
opened.catch(exitWithError)

async function openShop(): Promise<Close> {
  const environment = loadEnvironment(process.env, projectFolder)
  const given = parseSettings(environment, projectFolder)
  const isCopy = await isRestoredCopy(given.dataDir)
  const settings = isCopy ? settingsOfCopy(given) : given
  if (isDevelopment) requireLocalShop(settings)
  const openFiles = await requireOpenFiles()
  await claimDataFolder(settings)
  // The database takes seconds, and the port opens when the shop can answer: find out now whether it is in use.
  await requireFreePort(settings)
  stopDelayMs = settings.stopDelayMs

  const log = createLog(settings.logLevel)
  limitConnections(web, { openFiles, log })
  const application = await shopApplication()
  const store = await openStore({ ...settings, archivesLog: settings.backup !== null }, application, log)
  try {
    const { database, keys, closing } = store
    await seedPictures({ owner: database.owner, dataDir: settings.dataDir }, projectFolder)
    await syncRefundMethod(database.owner, settings)
    await syncPublicAddress(database.owner, settings)
    const close = await serve(
      { settings, database, log, keys, closing, isCopy, stopping: stopping.signal },
      store,
    )
    if (store.isShared) return close
    const backups = keepShopBackups({ settings, environment, version: application.release.version, log })
    return async () => {
      await backups.stop()
      await close()
      await backups.archiveRest()
    }
  } catch (error) {
    await Promise.race([store.stop(), pause(ABORT_TIMEOUT_MS)])
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
  const stopWork = () => Promise.all([jobs?.stop(), watch?.stop()])
  try {
    const { owner } = database
    await createFirstAdmin(owner, settings.adminEmail, (admin) => saveFirstAdmin(settings.dataDir, admin))
    site = loaded
    const sockets = loaded.shop.serveSockets(web)
    await listen(web, settings)

    const signIn = (await describeFirstAdmin(owner, settings.dataDir)) ?? ''
    const copy = isCopy ? 'This is a restored copy: it sends no mail and takes no payments.\n' : ''
    console.log(`\n${shop.name} is open at ${settings.publicUrl}\n\n${copy}${signIn}`.trimEnd())
    reportReady()
    return async () => {
      // A proxy learns from /readyz to send no more requests, and sockets reconnect elsewhere, before the port closes.
      await Promise.all([pause(settings.stopDelayMs), sockets.close(), stopWork()])
      await closeWebServer(web, STOP_TIMEOUT_MS)
      await loaded.close()
      await store.stop()
    }
  } catch (error) {
    // Running jobs hold connections, and the database could not close.
    await stopWork()
    throw error
  }
}

function answer(request: IncomingMessage, response: ServerResponse): void {
  // Moves clients with open connections to another process.
  if (stopping.signal.aborted) response.shouldKeepAlive = false
  site?.listener(request, response)
}
