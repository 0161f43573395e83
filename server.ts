import { loadClientKeys } from '#backend/auth/keys/client-keys.ts'
import { startJobs } from '#backend/jobs/run-jobs.ts'
import { createFirstAdmin } from '#server/admins.ts'
import { createLog } from '#server/log.ts'
import { closeWebServer, createWebServer, listen } from '#server/listen.ts'
import { loadBuiltShop, loadLiveShop } from '#server/load-shop.ts'
import { openShopDatabase, type ShopDatabase } from '#server/open-database.ts'
import { refuse } from '#server/refusal.ts'
import { seedPictures } from '#server/seed-pictures.ts'
import { parseSettings } from '#server/settings.ts'
import type { ShopParts } from '#server/api.ts'
import { shop } from '#shop'

/** Requests in flight get this long once the process is told to stop; all of stopping takes under five seconds. */
const FINISH_WITHIN_MS = 3000
const STOP_WITHIN_MS = 4800

const projectFolder = import.meta.dirname
const isDevelopment = process.argv.includes('--dev')
process.env.NODE_ENV ??= isDevelopment ? 'development' : 'production'

await main().catch(refuse)

async function main(): Promise<void> {
  const settings = parseSettings(process.env, projectFolder)
  const log = createLog()
  const store = await openShopDatabase(settings, log)
  try {
    const { database, closing } = store
    await seedPictures({ owner: database.owner, dataDir: settings.dataDir }, projectFolder)
    const keys = await loadClientKeys(database.owner)
    await serve({ settings, database, log, keys, closing }, store)
  } catch (error) {
    await store.stop()
    throw error
  }
}

async function serve(parts: ShopParts, store: ShopDatabase): Promise<void> {
  const { settings, database, log } = parts
  const web = createWebServer((request, response) => site.listener(request, response))
  const site = isDevelopment ? await loadLiveShop(parts, web) : await loadBuiltShop(parts, projectFolder)
  await listen(web, settings)
  const { tasks, crontab } = site.shop
  const jobs = await startJobs({ pool: database.owner, log, tasks, crontab })
  stopOnce(async () => {
    await Promise.all([closeWebServer(web, FINISH_WITHIN_MS), jobs.stop()])
    await site.close()
    await store.stop()
  })

  const admin = await createFirstAdmin(database.owner, settings.adminEmail)
  console.log(`\n${shop.name} is open at ${settings.publicUrl}\n`)
  if (admin) {
    console.log(
      `The first admin, shown this once:\n  e-mail    ${admin.email}\n  password  ${admin.password}\n`,
    )
  }
}

/** A terminal that is closed, Ctrl-C, a process manager, and the starter that ends: all mean the same. */
function stopOnce(stop: () => Promise<void>): void {
  let isStopping = false
  const stopNow = () => {
    if (isStopping) return
    isStopping = true
    setTimeout(() => process.exit(1), STOP_WITHIN_MS).unref()
    stop().then(() => process.exit(0), refuse)
  }
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, stopNow)
  process.on('disconnect', stopNow)
}
