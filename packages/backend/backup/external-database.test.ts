import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { Client } from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest'
import { DatabaseProblem } from '#backend/database/database-problem.ts'
import { prepareBackend } from '#backend/database/prepare-backend.ts'
import { catalogueDifferences, snapshotCatalogue } from '#backend/testing/catalogue.ts'
import { startDatabaseProxy } from '#backend/testing/database-proxy.ts'
import {
  findInstalledPostgres,
  type InstalledPostgres,
  startInstalledPostgres,
} from '#backend/testing/installed-postgres.ts'
import { databaseAt } from '#backend/testing/templates.ts'
import { startTlsFront } from '#backend/testing/tls-front.ts'
import { filesOf } from '#backend/storage/files/open-files.ts'
import { createBackup } from './create-backup.ts'
import { requireDumpTarget, whyWithoutDatabase } from './database-dump.ts'
import { fetchExternalChain } from './external-chain.ts'
import { keepBackups, type RunningBackups } from './keep-backups.ts'
import { holdsDatabase, listBackups } from './manifest.ts'
import { restoreBackup } from './restore-backup.ts'
import { isRestoredCopy } from './restored-copy.ts'
import { removeOldBackups } from './retention.ts'
import { tryRestore } from './try-restore.ts'
import { verifyBackups } from './verify-backup.ts'

const PICTURE = 'storage/objects/ab/one'
const binaries = await findInstalledPostgres()

let provider: InstalledPostgres
let newProvider: InstalledPostgres
let databaseUrl: string
let emptyUrl: string
let root: string
let shop: string
let target: string
let kept: RunningBackups | undefined
beforeAll(async () => {
  if (!binaries) return
  ;[provider, newProvider] = await Promise.all([
    startInstalledPostgres(binaries),
    startInstalledPostgres(binaries),
  ])
  databaseUrl = databaseAt(provider.url, 'shop')
  emptyUrl = databaseAt(newProvider.url, 'restored')
  await run(provider.url, 'create database shop')
  await prepareBackend(databaseUrl)
  await run(databaseUrl, `alter database shop set pgrst.db_aggregates_enabled = 'on'`)
  await run(
    databaseUrl,
    `create table orders (number int generated always as identity primary key, buyer text not null);
     alter table orders enable row level security, owner to postgres;
     create policy select_own on orders for select to authenticated using (buyer = auth.email());
     grant select on orders to authenticated;
     insert into orders (buyer) select 'thandi@example.com' from generate_series(1, 36)`,
  )
})
beforeEach(async (test) => {
  if (!binaries && process.env.TEST_RUN !== 'long')
    test.skip('PostgreSQL is not installed: apt-get install postgresql-15')
  expect(binaries).not.toBeNull()
  root = await mkdtemp(join(tmpdir(), 'external-'))
  shop = join(root, 'shop')
  target = join(root, 'backups')
  await mkdir(dirname(join(shop, PICTURE)), { recursive: true })
  await writeFile(join(shop, PICTURE), randomBytes(1000))
  await run(newProvider.url, 'drop database if exists restored')
  await run(newProvider.url, 'create database restored')
})
afterEach(async () => {
  await kept?.stop()
  if (root) await rm(root, { recursive: true, force: true })
})
afterAll(() => Promise.all([provider?.stop(), newProvider?.stop()]))

async function run(url: string, sql: string): Promise<string> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query({ text: sql, rowMode: 'array' })
    return String(rows?.[0]?.[0])
  } finally {
    await client.end()
  }
}

const environment = { PUBLIC_URL: 'https://shop.example', DATABASE_URL: 'postgresql://the-shop-itself/' }
const source = () => ({ dataDir: shop, databaseUrl, environment, version: '1.0.0' })
const makeBackup = (more: { passphrase?: string; url?: string; programs?: string[] } = {}) =>
  createBackup(
    { ...source(), databaseUrl: more.url ?? databaseUrl, ...(more.programs && { programs: more.programs }) },
    { folder: target, passphrase: more.passphrase ?? null, scryptWorkFactor: 4 },
  )

const copy = () => join(root, 'copy')
const restore = (more: { passphrase?: string; at?: Date; url?: string | null } = {}) =>
  restoreBackup({
    from: target,
    into: copy(),
    at: more.at,
    durable: false,
    passphrase: more.passphrase ?? null,
    databaseUrl: more.url === undefined ? emptyUrl : more.url,
  })

/** Without the stamp with which newer servers mark each column's creation; `pg_dump` leaves it out as well. */
async function catalogueOf(url: string): Promise<Record<string, string>> {
  const catalogue = Object.entries(await snapshotCatalogue(url))
  return Object.fromEntries(
    catalogue.map(([name, text]) => [name, text.replace(/ \| options \{pg_attver=\d+\}/, '')]),
  )
}

const isEmpty = (url: string) =>
  run(url, `select count(*) = 0 from pg_namespace where nspname !~ '^pg_|^information_schema$|^public$'`)

it('restores tables, rights, settings and files to a new server that has none of the roles, as a copy', async () => {
  const { name } = await makeBackup()
  expect(await holdsDatabase(target, name)).toBe(true)

  const { settingsFile } = await restore()

  const [before, after] = await Promise.all([databaseUrl, emptyUrl].map(catalogueOf))
  expect(before).toHaveProperty(['policy select_own on public.orders'])
  expect(catalogueDifferences(before ?? {}, after ?? {})).toEqual([])
  expect(await run(emptyUrl, `select count(*) from orders where buyer = 'thandi@example.com'`)).toBe('36')
  for (const setting of ['search_path', 'pgrst.db_aggregates_enabled']) {
    const show = `select current_setting('${setting}')`
    expect(await run(emptyUrl, show)).toBe(await run(databaseUrl, show))
  }
  expect(await readFile(join(copy(), PICTURE))).toEqual(await readFile(join(shop, PICTURE)))
  expect(await isRestoredCopy(copy())).toBe(true)
  expect(existsSync(join(copy(), 'postgres'))).toBe(false)
  expect(await readFile(settingsFile, 'utf8')).toBe(
    `PUBLIC_URL='https://shop.example'\nDATABASE_URL='${emptyUrl}'\n`,
  )
})

/** Encrypts connections to a database, with a certificate that this process trusts as it trusts public authorities. */
async function encrypted(databaseAddress: string): Promise<string> {
  const front = await startTlsFront(databaseAddress)
  const trusted = getCACertificates('default')
  onTestFinished(() => {
    setDefaultCACertificates(trusted)
    return front.close()
  })
  setDefaultCACertificates([...trusted, await readFile(front.certificate, 'utf8')])
  const url = new URL(databaseAddress)
  url.host = `localhost:${front.port}`
  return `${url.href}?sslmode=verify-full&options=-c%20lock_timeout%3D60s`
}

it('backs up and restores over TLS when Node trusts the authority of the servers, with options in the address', async () => {
  const { name } = await makeBackup({ url: await encrypted(databaseUrl) })
  expect(await holdsDatabase(target, name)).toBe(true)

  await restore({ url: await encrypted(emptyUrl) })

  expect(await run(emptyUrl, 'select count(*) from orders')).toBe('36')
})

it('stores nothing readable of a dump with a passphrase, and refuses to restore a damaged one', async () => {
  const { name, manifest } = await makeBackup({ passphrase: 'correct horse battery' })
  const path = join(target, name, manifest.database ?? '')
  const bytes = await readFile(path)
  expect(bytes.includes('thandi')).toBe(false)
  expect(await verifyBackups(target)).toEqual({ backups: 1, problems: [] })
  bytes[5000] = (bytes[5000] ?? 0) ^ 1
  await writeFile(path, bytes)

  expect((await verifyBackups(target)).problems).toEqual([`${path} is missing or damaged`])
  await expect(restore({ passphrase: 'correct horse battery' })).rejects.toThrow(
    new DatabaseProblem(`${path} is missing or damaged: use another backup`),
  )
  expect(await isEmpty(emptyUrl)).toBe('true')
})

it('refuses a database that is not empty, a moment, and a missing address, and changes nothing', async () => {
  const { name, manifest } = await makeBackup()
  await run(emptyUrl, 'create table notes ()')

  await expect(restore()).rejects.toThrow(
    new DatabaseProblem(
      `the database restored at ${new URL(emptyUrl).host} is not empty: let DATABASE_URL name an empty one to restore into`,
    ),
  )
  await expect(restore({ at: new Date() })).rejects.toThrow(
    new DatabaseProblem(
      `the database of ${name} has a server of its own, whose log is not kept: leave --at out to restore the state of ${manifest.endedAt}`,
    ),
  )
  await expect(restore({ url: null })).rejects.toThrow(
    new DatabaseProblem(
      `the database of ${name} has a server of its own: let DATABASE_URL name an empty database to restore into`,
    ),
  )
  expect(existsSync(copy())).toBe(false)
})

it('does not restore a dump on an older server', async () => {
  const { manifest } = await makeBackup()
  const ofNewer = { ...manifest, postgresMajor: manifest.postgresMajor + 1 }

  await expect(requireDumpTarget(emptyUrl, ofNewer)).rejects.toThrow(
    `the backup is of PostgreSQL ${ofNewer.postgresMajor}, the server runs ${manifest.postgresMajor}`,
  )
})

it('leaves the database and the folder empty when a dump cannot be restored', async () => {
  await run(databaseUrl, 'create role clerk; create table lists (); alter table lists owner to clerk')
  await makeBackup()

  await expect(restore()).rejects.toThrow(/^pg_restore fails: .*role "clerk" does not exist$/)
  await run(databaseUrl, 'drop table lists; drop role clerk')

  expect(await isEmpty(emptyUrl)).toBe('true')
  expect(await readdir(copy())).toEqual([])
})

it('leaves nothing behind when the database cannot be dumped', async () => {
  await run(provider.url, `create role guest login password 'guest'`)
  const url = new URL(databaseUrl)
  url.username = 'guest'
  url.password = 'guest'

  await expect(makeBackup({ url: url.href })).rejects.toThrow(/^pg_dump fails: .*permission denied/)

  expect(await listBackups(target)).toEqual([])
  expect((await readdir(target)).filter((name) => name.includes('unfinished'))).toEqual([])
})

it('backs up and restores files and settings alone when no pg_dump of the server’s version is installed', async () => {
  const { name, manifest } = await makeBackup({ programs: [root] })

  expect(whyWithoutDatabase(manifest)).toMatch(
    /^pg_dump \d\d is not installed, so the provider of the database must back it up$/,
  )
  expect(await holdsDatabase(target, name)).toBe(false)
  expect(await verifyBackups(target)).toEqual({ backups: 1, problems: [] })
  await restore({ url: null })
  expect(await readFile(join(copy(), PICTURE))).toEqual(await readFile(join(shop, PICTURE)))
  expect(await isRestoredCopy(copy())).toBe(true)
})

const scheduled = (logged: string[]) => ({
  folder: target,
  passphrase: null,
  everyHours: 24,
  pollMs: 20,
  log: {
    info: (_: object, text: string) => void logged.push(text),
    error: (fields: object, text: string) => void logged.push(`${text}: ${JSON.stringify(fields)}`),
  },
})

it('makes backups of an external database on schedule, and takes each new picture to the folder at once', async () => {
  const logged: string[] = []
  kept = keepBackups(source(), scheduled(logged))
  await expect.poll(() => logged).toEqual(['made a backup'])
  await writeFile(join(shop, dirname(PICTURE), 'two'), 'another picture')

  await expect.poll(() => readdir(join(target, 'files/ab'))).toHaveLength(2)
  await kept.stop()

  expect(await listBackups(target)).toHaveLength(1)
  expect(logged).toEqual(['made a backup'])
})

it('keeps one dump a day of each database, however many machines made them in turn', async () => {
  const other = join(root, 'other-machine')
  await mkdir(other)
  const restored = await makeBackup({ url: emptyUrl })
  await makeBackup()
  const newest = await createBackup({ ...source(), dataDir: other }, { folder: target, passphrase: null })

  await removeOldBackups(target)

  expect(await listBackups(target)).toEqual([restored.name, newest.name])
})

async function recreate(url: string, more = ''): Promise<void> {
  await run(url, 'drop database if exists restored')
  await run(url, `create database restored ${more}`)
}

it('keeps the last dump of a database that was dropped and created anew at its address', async () => {
  const last = await makeBackup({ url: emptyUrl })
  await recreate(newProvider.url)
  const first = await makeBackup({ url: emptyUrl })

  await removeOldBackups(target)

  expect(await listBackups(target)).toEqual([last.name, first.name])
})

it('backs up a database although another server has a fresh dump from the same address, name and OID', async () => {
  const oid = 'oid = 1000000'
  await Promise.all([provider, newProvider].map(({ url }) => recreate(url, oid)))
  onTestFinished(async () => void (await run(provider.url, 'drop database restored')))
  const proxy = await startDatabaseProxy(newProvider.url)
  const url = new URL(emptyUrl)
  url.host = proxy.host
  const other = await makeBackup({ url: url.href })
  await proxy.stop()
  const sameAddress = await startDatabaseProxy(provider.url, Number(url.port))
  onTestFinished(() => sameAddress.stop())
  const logged: string[] = []

  kept = keepBackups({ ...source(), databaseUrl: url.href }, scheduled(logged))
  await expect.poll(() => logged).toEqual(['made a backup'])

  expect(await listBackups(target)).toEqual([other.name, expect.any(String)])
})

it('reports nothing while an external database does not answer and no backup is due', async () => {
  const proxy = await startDatabaseProxy(provider.url)
  const url = new URL(databaseUrl)
  url.host = proxy.host
  let rounds = 0
  const files = {
    ...filesOf(shop),
    // Read by the step after the backup.
    get kind() {
      rounds += 1
      return 's3' as const
    },
  }
  const logged: string[] = []
  kept = keepBackups({ ...source(), files, databaseUrl: url.href }, scheduled(logged))
  await expect.poll(() => logged).toEqual(['made a backup'])

  await proxy.stop()
  const before = rounds
  await expect.poll(() => rounds).toBeGreaterThan(before + 3)

  expect(logged).toEqual(['made a backup'])
})

const chainOf = (url: string) => fetchExternalChain({ dataDir: shop, databaseUrl: url })

it('tells databases apart for a user who may not read the identifier of the cluster', async () => {
  await run(newProvider.url, `create role keeper login password 'keeper'`)
  onTestFinished(async () => {
    await run(newProvider.url, 'drop database restored')
    await run(newProvider.url, 'drop role keeper')
  })
  await recreate(newProvider.url, 'owner keeper')
  const url = new URL(emptyUrl)
  url.username = 'keeper'
  url.password = 'keeper'
  const forbid = 'revoke execute on function pg_control_system() from public'

  expect(await chainOf(url.href)).toBe(await chainOf(emptyUrl))
  await run(emptyUrl, forbid)
  const chain = await chainOf(url.href)
  expect(await chainOf(url.href)).toBe(chain)
  await recreate(newProvider.url, 'owner keeper')
  await run(emptyUrl, forbid)
  expect(await chainOf(url.href)).not.toBe(chain)
})

it('says that a dump must be tested on its own server', async () => {
  const { name } = await makeBackup()

  const tested = tryRestore(
    { from: target, passphrase: null, scratch: join(root, 'scratch') },
    async () => {},
  )

  await expect(tested).rejects.toThrow(
    new DatabaseProblem(
      `the database of ${name} has a server of its own: restore the backup into an empty database there to test it`,
    ),
  )
})
