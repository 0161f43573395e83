import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import {
  type CopyProgress,
  type DatabasePlace,
  estimateMove,
  InvalidSettings,
  isDatabaseUrl,
  moveDatabase,
} from '@saltfreak/backend'
import { loadEnvironment } from '#server/environment.ts'
import { shopApplication } from '#server/prepare-database.ts'
import { parseSettings } from '#server/settings.ts'

const USAGE = `Usage: npm run move -- database <address|embedded> [--yes]
  <address>   postgresql://user@host:5432/database: an empty database on a server of your own; the password in PGPASSWORD
  embedded    back to the PostgreSQL in the data folder`

const MEGABYTE = 1_000_000

/** `npm run move -- database <address|embedded>`: says how long it takes; with `--yes`, does it. */
export async function moveDatabaseByCommand(args: string[]): Promise<void> {
  const projectFolder = resolve(import.meta.dirname, '../..')
  const { positionals, values } = parseArgs({
    args,
    allowPositionals: true,
    options: { yes: { type: 'boolean', default: false } },
  })
  const [address, ...rest] = positionals
  if (!address || rest.length > 0) throw new InvalidSettings(USAGE)
  const from = parseSettings(loadEnvironment(process.env, projectFolder), projectFolder)
  const to = { dataDir: from.dataDir, databaseUrl: targetUrl(address) }
  const application = await shopApplication()
  const estimate = await estimateMove({ from, to }, application)
  console.log(
    `${estimate.tables} tables with ${megabytes(estimate.bytes)} MB. The shop must be closed for about ${duration(estimate.seconds)}. The present database stays as it is.`,
  )
  if (!values.yes) {
    console.log('Nothing was changed. Stop the shop, then repeat the command with --yes.')
    return
  }
  const { rows, tables, notMoved } = await moveDatabase(
    { from, to },
    { application, onProgress: reportProgress() },
  )
  console.log(`Copied and compared ${rows} rows of ${tables} tables.`)
  for (const name of notMoved) console.log(`Not moved, because it does not belong to the shop: ${name}`)
  console.log(nextStep(to))
}

/** Returns the address with the password of PGPASSWORD; null for the embedded database. Throws InvalidSettings for one with a password. */
export function targetUrl(address: string): string | null {
  if (address === 'embedded') return null
  if (!isDatabaseUrl(address)) throw new InvalidSettings(USAGE)
  if (/^[^/]*\/\/[^/?]*:[^/?]*@|[?&]password=/.test(address)) {
    throw new InvalidSettings(
      'every user of this machine can read the arguments of a command: leave the password out of the address, and set it as PGPASSWORD',
    )
  }
  const password = process.env.PGPASSWORD
  return password ? address.replace('@', () => `:${encodeURIComponent(password)}@`) : address
}

function nextStep({ databaseUrl }: DatabasePlace): string {
  return databaseUrl
    ? 'Set DATABASE_URL to the new address, then start the shop. The folder postgres in the data folder is the old database.'
    : 'Unset DATABASE_URL, then start the shop.'
}

/** Prints a line for each tenth of the data. */
function reportProgress(): (progress: CopyProgress) => void {
  let printed = ''
  return ({ step, bytes, totalBytes }) => {
    const line = `${step} ${10 * Math.floor((10 * bytes) / totalBytes)} %`
    if (line !== printed) console.log(line)
    printed = line
  }
}

function megabytes(bytes: number): string {
  return (bytes / MEGABYTE).toFixed(1)
}

function duration(seconds: number): string {
  return seconds < 120 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`
}
