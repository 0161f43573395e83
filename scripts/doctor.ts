import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { exitWithError } from '@saltfreak/backend'
import { addressCheck } from '#server/doctor/address-check.ts'
import { mailRecordsCheck, mailServerCheck } from '#server/doctor/mail-checks.ts'
import { filesCheck, payfastCheck, proxyCheck } from '#server/doctor/settings-checks.ts'
import { loadEnvironment } from '#server/environment.ts'
import { backupsCheck } from '#server/health/checks/backups.ts'
import { certificateChecks } from '#server/health/checks/certificate.ts'
import { diskCheck } from '#server/health/checks/disk.ts'
import { runChecks } from '#server/health/run-checks.ts'
import { parseSettings } from '#server/settings.ts'

/** `npm run doctor [-- --mail <address>]`: checks what the shop needs from its machine, and says how to fix what is wrong. */
const TIMEOUT_MS = 40_000
const MARKS = { ok: '✓', warning: '!', failed: '✗' }

try {
  const { values } = parseArgs({ options: { mail: { type: 'string' } } })
  const projectFolder = resolve(import.meta.dirname, '..')
  const settings = parseSettings(loadEnvironment(process.env, projectFolder), projectFolder)
  const settingsFile = resolve(projectFolder, process.env.ENV_FILE || '.env')
  const findings = await runChecks(
    [
      filesCheck(settings, settingsFile),
      diskCheck(settings.dataDir),
      addressCheck(settings),
      ...certificateChecks(settings),
      proxyCheck(settings),
      mailServerCheck(settings, values.mail),
      mailRecordsCheck(settings),
      payfastCheck(settings),
      backupsCheck(settings),
    ],
    TIMEOUT_MS,
  )
  for (const { component, state, message, action } of findings) {
    console.log(`${MARKS[state]} ${component}: ${message}`)
    if (action) console.log(`    ${action}`)
  }
  process.exitCode = findings.some(({ state }) => state === 'failed') ? 1 : 0
} catch (error) {
  exitWithError(error)
}
