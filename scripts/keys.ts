import { resolve } from 'node:path'
import { exitWithError, withStore } from '@saltfreak/backend'
import { shopApplication } from '#server/prepare-database.ts'
import { parseSettings } from '#server/settings.ts'

try {
  const settings = parseSettings(process.env, resolve(import.meta.dirname, '..'))
  const { publishable, secret } = await withStore(settings, await shopApplication(), async ({ keys }) => keys)
  console.log(JSON.stringify({ publishable, secret }))
} catch (error) {
  exitWithError(error)
}
