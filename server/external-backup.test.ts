import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { zstdDecompressSync } from 'node:zlib'
import { listBackups, startJobs } from '@saltfreak/backend'
import {
  databaseAt,
  findInstalledPostgres,
  freePort,
  type InstalledPostgres,
  onServer,
  quietLog,
  startInstalledPostgres,
  type TestDatabase,
} from '@saltfreak/backend/testing'
import { filesOf } from '@saltfreak/backend'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { shopDatabase } from '#test/database.ts'
import { runUntilExit } from '#test/running-shop.ts'
import { parseSettings } from './settings.ts'
import { keepShopBackups } from './shop-backups.ts'

let shop: TestDatabase
let root: string
let dataDir: string
let folder: string
beforeAll(async () => {
  shop = await shopDatabase()
})
afterAll(() => shop.close())
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'external-backup-'))
  dataDir = join(root, 'data')
  folder = join(root, 'backups')
  await mkdir(join(dataDir, 'storage/objects/ab'), { recursive: true })
  await writeFile(join(dataDir, 'storage/objects/ab/one'), 'a picture')
  return () => rm(root, { recursive: true, force: true })
})

/** One line. */
const refusalFor = (copy: string) =>
  `${copy} is a restored copy, and DATABASE_URL names the shop's own database: let it name a restored database, or make the copy live with npm run restore -- --make-live ${copy}\n`

function run(script: string, args: string[], env: Record<string, string>) {
  return runUntilExit({ DATA_DIR: dataDir, ...env }, { program: `scripts/${script}.ts`, args })
}

async function withInstalledPostgres(
  binaries: string,
  work: (postgres: InstalledPostgres) => Promise<void>,
): Promise<void> {
  const postgres = await startInstalledPostgres(binaries)
  try {
    await work(postgres)
  } finally {
    await postgres.stop()
  }
}

it('backs up a database of another server by command, and restores it into an empty one', async (test) => {
  const binaries = await findInstalledPostgres()
  if (!binaries && process.env.TEST_RUN !== 'long')
    test.skip('PostgreSQL is not installed: apt-get install postgresql-15')
  expect(binaries).not.toBeNull()
  await withInstalledPostgres(binaries ?? '', async ({ url }) => {
    await onServer(url, (server) => server.query('create table notes (); create table orders ()'))
    await onServer(url, (server) => server.query('create database restored'))
    const copy = join(root, 'copy')

    const backup = await run('backup', [folder], { DATABASE_URL: url })
    const [name = ''] = (await readdir(folder)).filter((each) => each.endsWith('Z'))
    expect(backup).toEqual({
      code: 0,
      output: `Backed up the database and 1 files to ${join(folder, name)}.\n`,
    })
    const env = { DATABASE_URL: databaseAt(url, 'restored') }
    const restored = await run('restore', [folder, '--into', copy], env)
    expect(restored.output).toMatch(new RegExp(`^Restored the backup ${name} to ${copy}\\.`))
  })
})

it('says by command that the provider must back up the database when pg_dump is not installed', async (test) => {
  const { rows } = await shop.database.owner.query<{ major: number }>(
    `select current_setting('server_version_num')::int / 10000 as major`,
  )
  const major = rows[0]?.major
  if (existsSync(`/usr/lib/postgresql/${major}/bin/pg_dump`)) test.skip(`pg_dump ${major} is installed`)
  const backup = await run('backup', [folder], { DATABASE_URL: shop.superuserUrl, PATH: root })
  const [name = ''] = (await readdir(folder)).filter((each) => each.endsWith('Z'))

  expect(backup).toEqual({
    code: 0,
    output: `Backed up the settings and 1 files to ${join(folder, name)}.
The database is not in this backup: pg_dump ${major} is not installed, so the provider of the database must back it up.\n`,
  })
  const copy = join(root, 'copy')
  const { output } = await run('restore', [folder, '--into', copy], {})
  expect(output).toMatch(/^The database is not in this backup: its provider must restore it\.$/m)

  const settings = await readFile(join(copy, 'settings.env'), 'utf8')
  expect(settings).toContain(shop.superuserUrl)
  const start = await runUntilExit({
    DATA_DIR: copy,
    ENV_FILE: join(copy, 'settings.env'),
    PORT: String(await freePort()),
  })
  expect(start).toEqual({ code: 1, output: refusalFor(copy) })
})

it('refuses to start a copy on a database on which a shop runs jobs, whatever its address', async () => {
  const copy = join(root, 'copy-of-files')
  await mkdir(copy)
  await writeFile(join(copy, 'restored-copy.json'), JSON.stringify({ original: ['db.example:5432/shop'] }))
  const tasks = { waiting: async () => {} }
  const jobs = await startJobs({ pool: shop.database.owner, tasks, crontab: '', log: quietLog })
  const locks = () => shop.database.owner.query(`select from pg_locks where classid = $1`, [0x6a6f6273])
  await expect.poll(async () => (await locks()).rowCount).not.toBe(0)

  const start = await runUntilExit({
    DATA_DIR: copy,
    DATABASE_URL: shop.superuserUrl,
    PORT: String(await freePort()),
  })
  await jobs.stop()

  expect(start).toEqual({ code: 1, output: refusalFor(copy) })
})

it('makes backups on schedule when the shop’s database has a server of its own', async () => {
  const logged: string[] = []
  const log = pino({ base: null }, { write: (line) => void logged.push(line) })
  const environment = { DATABASE_URL: shop.superuserUrl, DATA_DIR: dataDir, BACKUP_TO: folder }
  const settings = parseSettings(environment, root)

  const backups = keepShopBackups({
    settings,
    files: filesOf(dataDir),
    environment: () => environment,
    version: '1.0.0',
    log,
  })
  await expect.poll(() => logged.join()).toContain('made a backup')
  await backups.stop()

  expect(logged).toHaveLength(1)
  // A backup of an embedded database would have created one.
  expect(existsSync(join(dataDir, 'postgres'))).toBe(false)
})

it('stores with each backup the settings of that moment, not those of the start', async () => {
  const environment = { DATABASE_URL: shop.superuserUrl, DATA_DIR: dataDir, BACKUP_TO: folder }
  const settings = parseSettings(environment, root)
  let mode = 'sandbox'
  const backups = keepShopBackups({
    settings,
    files: filesOf(dataDir),
    environment: () => ({ ...environment, PAYFAST_MODE: mode }),
    version: '1.0.0',
    log: pino({ level: 'silent' }),
  })
  mode = 'live'

  await expect.poll(() => listBackups(folder)).toHaveLength(1)
  await backups.stop()

  const [backup = ''] = await listBackups(folder)
  const stored = (await readdir(join(folder, backup))).find((name) => name.startsWith('settings.json'))
  const content = zstdDecompressSync(await readFile(join(folder, backup, stored ?? '')))
  expect(JSON.parse(content.toString())).toMatchObject({ environment: { PAYFAST_MODE: 'live' } })
})
