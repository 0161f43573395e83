import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { exitWithError, makeLive, restoreBackup } from '@saltfreak/backend'
import { loadEnvironment } from '#server/environment.ts'

/** `npm run restore -- <backup> --into <folder> [--at <time>]`, and `npm run restore -- --make-live <folder>`. */
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { into: { type: 'string' }, at: { type: 'string' }, 'make-live': { type: 'string' } },
})

try {
  const [from] = positionals
  const { into, at, 'make-live': copy } = values
  if (copy) await startForReal(copy)
  else if (from && into) await restore(from, into, at)
  else exitWithUsage()
} catch (error) {
  exitWithError(error)
}

async function restore(from: string, into: string, at: string | undefined): Promise<void> {
  const moment = at === undefined ? undefined : new Date(at)
  if (moment && Number.isNaN(moment.getTime())) {
    console.error(`--at must be a time like 2026-11-23T19:30:00+02:00, not "${at}"`)
    process.exit(1)
  }
  const environment = loadEnvironment(process.env, resolve(import.meta.dirname, '..'))
  const passphrase = environment.BACKUP_PASSPHRASE || null
  const { backup, skipped, settingsFile } = await restoreBackup({ from, into, at: moment, passphrase })
  const copy = resolve(into)
  for (const problem of skipped) console.error(`Passed over: ${problem}`)
  console.log(`Restored the backup ${backup.name}${moment ? ` as of ${moment.toISOString()}` : ''} to ${copy}. The shop's settings are in ${settingsFile}.

Try it with DATA_DIR=${copy} npm start: a copy sends no mail and takes no payments. When it shall replace the shop:
  npm run restore -- --make-live ${copy}`)
}

async function startForReal(folder: string): Promise<void> {
  if (await makeLive(folder))
    console.log(`${folder} is live from its next start: it sends mail and takes payments.`)
  else {
    console.error(`${folder} is not a restored copy`)
    process.exitCode = 1
  }
}

function exitWithUsage(): never {
  console.error(
    'Usage: npm run restore -- <backup folder or backup> --into <new folder> [--at <time>]\n       npm run restore -- --make-live <restored folder>',
  )
  process.exit(1)
}
