import { loadClientKeys } from '#backend/auth/keys/client-keys.ts'
import { createLog } from '#server/log.ts'
import { closeWebServer, createWebServer, listen } from '#server/listen.ts'
import { loadBuiltShop, loadLiveShop } from '#server/load-shop.ts'
import { openShopDatabase } from '#server/open-database.ts'
import { explainAndExit } from '#server/refusal.ts'
import { parseSettings } from '#server/settings.ts'

/** What is still running after this is cut off. */
const STOP_WITHIN_MS = 4500

const projectFolder = import.meta.dirname
const isDevelopment = process.argv.includes('--dev')
process.env.NODE_ENV ??= isDevelopment ? 'development' : 'production'

try {
  await run()
} catch (error) {
  explainAndExit(error)
}

async function run() {
  const settings = parseSettings(process.env, projectFolder)
  const log = createLog()
  const { database, stop: stopDatabase } = await openShopDatabase(settings, log)
  const keys = await loadClientKeys(database.owner)
  const parts = { settings, database, keys, log }

  const web = createWebServer((request, response) => listener(request, response))
  const { listener, close } = isDevelopment
    ? await loadLiveShop(parts, web)
    : await loadBuiltShop(parts, projectFolder)
  await listen(web, settings)

  console.log(`${settings.publicUrl}`)
}
