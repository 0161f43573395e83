import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { setPriority } from 'node:os'
import { exitWithError, makeLive, restoreBackup, withStore } from '@saltfreak/backend'
import { dateFormat } from '#domain/dates.ts'
import { loadEnvironment } from '#server/environment.ts'
import { shopApplication } from '#server/prepare-database.ts'
import { recordRestoreTest } from '#server/restore-test/record-restore-test.ts'
import { testRestore } from '#server/restore-test/test-restore.ts'
import { parseSettings } from '#server/settings.ts'
import { readMoment } from './restore-moment.ts'

/** `npm run restore -- <backup> --into <folder> [--at <time>]`, `-- --test <folder>`, and `-- --make-live <folder>`. */
const projectFolder = resolve(import.meta.dirname, '..')
const inShopTime = dateFormat({ dateStyle: 'long', timeStyle: 'long' })
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    into: { type: 'string' },
    at: { type: 'string' },
    test: { type: 'string' },
    // The weekly job receives the result, records it itself and leaves the processor to the shop.
    send: { type: 'boolean' },
    priority: { type: 'string' },
    'make-live': { type: 'string' },
  },
})

try {
  const [from] = positionals
  const { into, at, test, priority, 'make-live': copy } = values
  if (priority) setPriority(Number(priority))
  if (copy) await startForReal(copy)
  else if (test) await testBackups(resolve(test), values.send)
  else if (from && into) await restore(from, into, at)
  else exitWithUsage()
} catch (error) {
  exitWithError(error)
}

async function restore(from: string, into: string, at: string | undefined): Promise<void> {
  const moment = at === undefined ? undefined : readMoment(at)
  if (moment === null) {
    console.error(`--at must be a time like 2026-11-23T19:30:00+02:00, not "${at}"`)
    process.exit(1)
  }
  const environment = loadEnvironment(process.env, projectFolder)
  const passphrase = environment.BACKUP_PASSPHRASE || null
  const databaseUrl = environment.DATABASE_URL ? parseSettings(environment, projectFolder).databaseUrl : null
  const { backup, skipped, settingsFile } = await restoreBackup({
    from,
    into,
    at: moment,
    passphrase,
    databaseUrl,
  })
  const copy = resolve(into)
  for (const problem of skipped) console.error(`Passed over: ${problem}`)
  const { database, isExternal } = backup.manifest
  if (!database) console.error('The database is not in this backup: its provider must restore it.')
  const place = `DATA_DIR=${copy}${isExternal ? ' DATABASE_URL=<the restored database>' : ''}`
  console.log(`Restored the backup ${backup.name}${moment ? ` as of ${inShopTime(moment)}` : ''} to ${copy}. The shop's settings are in ${settingsFile}.

Try it with ${place} npm start: a copy sends no mail and takes no payments. When it shall replace the shop:
  npm run restore -- --make-live ${copy}`)
  if ((await readFile(settingsFile, 'utf8')).includes('S3_BUCKET='))
    console.log(
      `\nThe copy has its files in ${copy}/storage. Once it is live, the shop reads the bucket again: npm run move -- files s3 adds those that it lacks.`,
    )
}

async function testBackups(folder: string, sendsResult = false): Promise<void> {
  const environment = loadEnvironment(process.env, projectFolder)
  const settings = parseSettings(environment, projectFolder)
  const passphrase = environment.BACKUP_PASSPHRASE || null
  const result = await testRestore({ from: folder, passphrase, scratch: settings.dataDir })
  if (sendsResult) {
    process.send?.(result)
    return
  }
  // Only the shop's own backups can be compared with it.
  const problems =
    folder === settings.backup?.folder
      ? await withStore(settings, await shopApplication(), ({ database }) =>
          recordRestoreTest(database.owner, result),
        )
      : result.problems
  for (const problem of problems) console.error(problem)
  if (problems.length === 0)
    console.log(`The backup ${result.backup} was restored, and the copy is complete.`)
  else process.exitCode = 1
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
    'Usage: npm run restore -- <backup folder or backup> --into <new folder> [--at <time>]\n       npm run restore -- --test <backup folder>\n       npm run restore -- --make-live <restored folder>',
  )
  process.exit(1)
}
