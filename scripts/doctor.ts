import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { exitWithError, isRestoredCopy } from '@saltfreak/backend'
import { SETUP_TIMEOUT_MS, setupChecks } from '#server/doctor/setup-checks.ts'
import { loadEnvironment } from '#server/environment.ts'
import { runChecks } from '#server/health/run-checks.ts'
import { parseSettings, settingsOfCopy } from '#server/settings.ts'

/** `npm run doctor [-- --mail <address>]`: checks what the shop needs from its machine, and says how to fix what is wrong. */
const MARKS = { ok: '✓', warning: '!', failed: '✗' }

try {
  const { values } = parseArgs({ options: { mail: { type: 'string' } } })
  const projectFolder = resolve(import.meta.dirname, '..')
  const given = parseSettings(loadEnvironment(process.env, projectFolder), projectFolder)
  const isCopy = await isRestoredCopy(given.dataDir)
  const settings = isCopy ? settingsOfCopy(given) : given
  if (isCopy) {
    console.log('! copy: This is a restored copy: it sends no mail, takes no payments and makes no backups.')
    console.log(`    When it shall replace the shop: npm run restore -- --make-live ${given.dataDir}`)
  }
  const findings = await runChecks(setupChecks(settings, values.mail), SETUP_TIMEOUT_MS)
  for (const { component, state, message, action } of findings) {
    console.log(`${MARKS[state]} ${component}: ${message}`)
    if (action) console.log(`    ${action}`)
  }
  process.exitCode = findings.some(({ state }) => state === 'failed') ? 1 : 0
} catch (error) {
  exitWithError(error)
}
