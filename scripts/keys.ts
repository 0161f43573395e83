import { resolve } from 'node:path'
import { exitWithError, withStore } from '@saltfreak/backend'
import { shopApplication } from '#server/prepare-database.ts'
import { loadEnvironment } from '#server/environment.ts'
import { parseSettings } from '#server/settings.ts'

try {
  const projectFolder = resolve(import.meta.dirname, '..')
  const settings = parseSettings(loadEnvironment(process.env, projectFolder), projectFolder)
  const { publishable, secret } = await withStore(settings, await shopApplication(), async ({ keys }) => keys)
  console.log(JSON.stringify({ publishable, secret }))
} catch (error) {
  exitWithError(error)
}
