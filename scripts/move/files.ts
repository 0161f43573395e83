import { join, resolve } from 'node:path'
import {
  claimFiles,
  createLog,
  filesOf,
  InvalidSettings,
  isRestoredCopy,
  moveFiles,
  openFiles,
  withStore,
} from '@saltfreak/backend'
import { loadEnvironment } from '#server/environment.ts'
import { shopApplication } from '#server/prepare-database.ts'
import { parseSettings } from '#server/settings.ts'

const USAGE = 'Usage: npm run move -- files s3|disk'

/** `npm run move -- files s3` copies the files of the data folder to the bucket, `… disk` back. */
export async function moveFilesByCommand([target]: string[]): Promise<void> {
  if (target !== 's3' && target !== 'disk') throw new InvalidSettings(USAGE)
  const projectFolder = resolve(import.meta.dirname, '../..')
  const settings = parseSettings(loadEnvironment(process.env, projectFolder), projectFolder)
  const { s3, dataDir } = settings
  if (!s3) throw new InvalidSettings('S3_BUCKET is not set: name the bucket in the settings')
  if (await isRestoredCopy(dataDir)) {
    throw new InvalidSettings(
      `${dataDir} is a restored copy, and the bucket may be that of the shop: npm run restore -- --make-live ${dataDir} first`,
    )
  }
  const bucket = await openFiles(settings, createLog(settings.logLevel))
  const disk = filesOf(dataDir)
  const [from, to] = target === 's3' ? [disk, bucket] : [bucket, disk]
  const journal = join(dataDir, target === 's3' ? `moved-to-${s3.bucket}.txt` : 'moved-to-disk.txt')
  const { copied, present, problems } = await withStore(
    settings,
    await shopApplication(),
    async ({ database }) => {
      await claimFiles(bucket, database.owner)
      return moveFiles({ owner: database.owner, from, to, journal })
    },
  )
  for (const problem of problems) console.error(problem)
  const place = target === 's3' ? `the bucket ${s3.bucket}` : dataDir
  console.log(
    `Copied ${copied} files to ${place}; ${present} were there already. Size and hash of all are right.`,
  )
  if (problems.length > 0) {
    console.error(`${problems.length} files are not there: see above.`)
    process.exitCode = 1
    return
  }
  console.log(target === 's3' ? nextWithBucket(dataDir) : NEXT_WITH_DISK)
}

function nextWithBucket(dataDir: string): string {
  return `Start the shop with S3_BUCKET. Then ${join(dataDir, 'storage')} is not used any more and may be deleted.`
}

const NEXT_WITH_DISK =
  'Remove S3_BUCKET from the settings and start the shop. Then the bucket is not used any more and may be deleted.'
