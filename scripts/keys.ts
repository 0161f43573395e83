import { resolve } from 'node:path'
import { exitWithError, loadClientKeys } from '@saltfreak/backend'
import { withShopDatabase } from '#server/open-database.ts'
import { parseSettings } from '#server/settings.ts'

try {
  const settings = parseSettings(process.env, resolve(import.meta.dirname, '..'))
  const { publishable, secret } = await withShopDatabase(settings, ({ owner }) => loadClientKeys(owner))
  console.log(JSON.stringify({ publishable, secret }))
} catch (error) {
  exitWithError(error)
}
