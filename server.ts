import type { ServerResponse } from 'node:http'
import {
  closeWebServer,
  createLog,
  createWebServer,
  exitWithError,
  listen,
  openStore,
  type Store,
  claimDataFolder,
  startJobs,
  stopOnce,
} from '@saltfreak/backend'
import { createFirstAdmin } from '#server/admins.ts'
import type { ShopParts } from '#server/shop-parts.ts'
import { loadBuiltShop, loadLiveShop, type LoadedShop } from '#server/load-shop.ts'
import { shopApplication } from '#server/prepare-database.ts'
import { syncPublicAddress } from '#server/public-address.ts'
import { syncRefundMethod } from '#server/refund-method.ts'
import { seedPictures } from '#server/seed-pictures.ts'
import { parseSettings, requireLocalShop } from '#server/settings.ts'
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
  const settings = parseSettings(process.env, projectFolder)
  if (isDevelopment) requireLocalShop(settings)
  await claimDataFolder(settings)
  // Listen before opening the database: a used port fails at once, the database takes seconds.
  await listen(web, settings)

  const log = createLog()
  const store = await openStore(settings, await shopApplication(), log)
  try {
    const { database, keys, closing } = store
    await seedPictures({ owner: database.owner, dataDir: settings.dataDir }, projectFolder)
    await syncRefundMethod(database.owner, settings)
    await syncPublicAddress(database.owner, settings)
    return await serve({ settings, database, log, keys, closing }, store)
  } catch (error) {
    await store.stop()
    throw error
  }
}

async function serve(parts: ShopParts, store: Store): Promise<Close> {
  const { settings, database, log } = parts
  const loaded = isDevelopment ? await loadLiveShop(parts, web) : await loadBuiltShop(parts, projectFolder)
  const { tasks, crontab } = loaded.shop
  const jobs = await startJobs({ pool: database.owner, log, tasks, crontab })
  const admin = await createFirstAdmin(database.owner, settings.adminEmail)
  site = loaded
  const sockets = loaded.shop.serveSockets(web)

  const signIn = admin
    ? `The first admin (shown only once):\n  e-mail    ${admin.email}\n  password  ${admin.password}\n`
    : ''
  console.log(`\n${shop.name} is open at ${settings.publicUrl}\n\n${signIn}`.trimEnd())
  return async () => {
    await Promise.all([closeWebServer(web, STOP_TIMEOUT_MS), sockets.close(), jobs.stop()])
    await loaded.close()
    await store.stop()
  }
}

function refuseUntilReady(response: ServerResponse): void {
  response.writeHead(503, { 'Retry-After': '1', 'Content-Type': 'text/plain; charset=utf-8' })
  response.end('The shop is starting.\n')
}
