import { resolve } from 'node:path'
import { loadClientKeys } from '#backend/auth/keys/client-keys.ts'
import { withShopDatabase } from '#server/open-database.ts'
import { exitWithError } from '#backend/process/startup-error.ts'
import { parseSettings } from '#server/settings.ts'

try {
  const settings = parseSettings(process.env, resolve(import.meta.dirname, '..'))
  const { publishable, secret } = await withShopDatabase(settings, ({ owner }) => loadClientKeys(owner))
  console.log(JSON.stringify({ publishable, secret }))
} catch (error) {
  exitWithError(error)
}
