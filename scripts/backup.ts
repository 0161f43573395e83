import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import {
  createBackup,
  createLog,
  exitWithError,
  isRestoredCopy,
  openFiles,
  verifyBackups,
  whyWithoutDatabase,
} from '@saltfreak/backend'
import { shopApplication } from '#server/prepare-database.ts'
import { loadEnvironment } from '#server/environment.ts'
import { environmentToKeep, parseSettings } from '#server/settings.ts'

/** `npm run backup -- <folder>` backs up the shop, running or not; with `--verify`, reads what the folder holds instead. */
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { verify: { type: 'boolean', default: false } },
})

try {
  const projectFolder = resolve(import.meta.dirname, '..')
  const environment = loadEnvironment(process.env, projectFolder)
  const given = parseSettings(environment, projectFolder)
  const { backup, databaseUrl, dataDir } = given
  const [folder = backup?.folder] = positionals
  if (!folder) exitWithUsage()
  if (values.verify) await verify(folder)
  else {
    const { version } = (await shopApplication()).release
    // A restored copy has its own files.
    const s3 = (await isRestoredCopy(dataDir)) ? null : given.s3
    const files = await openFiles({ dataDir, s3 }, createLog(given.logLevel))
    const source = { dataDir, files, databaseUrl, version, environment: environmentToKeep(environment) }
    const passphrase = environment.BACKUP_PASSPHRASE || null
    const { name, manifest } = await createBackup(source, { folder, passphrase })
    const reason = whyWithoutDatabase(manifest)
    const database = reason ? 'the settings' : 'the database'
    console.log(
      `Backed up ${database} and ${manifest.files.length} files${s3 ? ` of the bucket ${s3.bucket}` : ''} to ${resolve(folder, name)}.`,
    )
    if (reason) console.error(`The database is not in this backup: ${reason}.`)
  }
} catch (error) {
  exitWithError(error)
}

async function verify(folder: string): Promise<void> {
  const { backups, problems } = await verifyBackups(folder)
  for (const problem of problems) console.error(problem)
  if (backups === 0) console.error(`${folder} holds no backup`)
  else if (problems.length === 0)
    console.log(`All files of ${backups} ${backups === 1 ? 'backup' : 'backups'} are complete.`)
  process.exitCode = backups === 0 || problems.length > 0 ? 1 : 0
}

function exitWithUsage(): never {
  console.error('Usage: npm run backup -- <folder>\n       npm run backup -- <folder> --verify')
  process.exit(1)
}
