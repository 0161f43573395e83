import { execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { exists } from '#backend/process/exists.ts'
import { findRunningPostgres, type PostgresAddress, postgresUrl, startPostgres } from './embedded.ts'

/** A data folder with a stopped database. */
let prepared: string
beforeAll(async () => {
  prepared = await mkdtemp(join(tmpdir(), 'embedded-prepared-'))
  const postgres = await startPostgres(prepared, { durable: false })
  await postgres.stop()
})
afterAll(() => rm(prepared, { recursive: true, force: true }))

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'embedded-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** Creating a database takes seconds, and only some tests are about it. */
async function copyDatabase(): Promise<void> {
  await promisify(execFile)('cp', ['-a', `${prepared}/.`, folder])
}

async function run(address: PostgresAddress, sql: string): Promise<unknown> {
  const client = new Client({ connectionString: postgresUrl(address, 'supabase_admin') })
  await client.connect()
  const { rows } = await client.query({ text: sql, rowMode: 'array' })
  await client.end()
  return rows[0]?.[0]
}

async function postmasterPid(): Promise<number> {
  return Number((await readFile(join(folder, 'postgres/postmaster.pid'), 'utf8')).split('\n')[0])
}

/** Arguments of Node for a program that runs the folder's PostgreSQL, then the statement `after`. */
function supervisorProgram(after: string): string[] {
  const script = `
    const { startPostgres } = await import(${JSON.stringify(new URL('./embedded.ts', import.meta.url).href)})
    await startPostgres(${JSON.stringify(folder)})
    console.log('kept')
    ${after}`
  return ['--input-type=module', '-e', script]
}

async function startSupervisor(after = 'setInterval(() => {}, 1000)') {
  const supervisor = spawn(process.execPath, supervisorProgram(after), {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(supervisor.stdout, 'data')
  return supervisor
}

it('keeps data across a restart, hides its password, and uses UTF-8, UTC and byte order', async () => {
  const first = await startPostgres(folder)
  expect((await stat(join(folder, 'postgres.password'))).mode & 0o777).toBe(0o600)
  await run(first, `create table lures as select 'Slaçk 🎣' as name`)
  await first.stop()

  const second = await startPostgres(folder)

  expect(await run(second, 'select name from lures')).toBe('Slaçk 🎣')
  expect(
    await run(
      second,
      `select concat_ws(' ', current_setting('server_encoding'), current_setting('timezone'), datcollate)
       from pg_database where datname = current_database()`,
    ),
  ).toBe('UTF8 UTC C.UTF-8')
  await second.stop()
})

it('creates the database after starts that were killed during its creation, also one with the same process id', async () => {
  const { pid: ended } = spawnSync('true')
  for (const pid of [process.pid, ended]) {
    // oxlint-disable-next-line no-await-in-loop -- two folders
    await mkdir(join(folder, `postgres.new-${pid}/base`), { recursive: true })
  }

  const postgres = await startPostgres(folder)

  expect(await run(postgres, 'select 1')).toBe(1)
  expect((await readdir(folder)).filter((name) => name.includes('.new-'))).toEqual([])
  await postgres.stop()
})

it('creates the database while the initdb of a killed start is still writing its own', async () => {
  const { pid: ended } = spawnSync('true')
  const abandoned = join(folder, `postgres.new-${ended}`)
  await mkdir(abandoned)
  // Removing so many files takes longer than writing one.
  const script =
    'for i in {1..3000}; do : > "$0/$i"; done; echo; for i in {3001..20000}; do : > "$0/$i"; done'
  const initdb = spawn('bash', ['-c', script, abandoned], { stdio: ['ignore', 'pipe', 'ignore'] })
  await once(initdb.stdout, 'data')

  const postgres = await startPostgres(folder)

  expect(await run(postgres, 'select 1')).toBe(1)
  expect((await readdir(folder)).filter((name) => name.includes('.new-'))).toEqual([])
  await postgres.stop()
})

it('creates the database although a start on a full disk left an empty password file', async () => {
  await writeFile(join(folder, 'postgres.password'), '')

  const postgres = await startPostgres(folder)

  expect(await run(postgres, 'select 1')).toBe(1)
  await postgres.stop()
})

it('refuses a second process on the data folder, and takes over the orphan of a killed process', async () => {
  await copyDatabase()
  const supervisor = await startSupervisor()
  const orphan = await postmasterPid()

  await expect(startPostgres(folder)).rejects.toThrow(
    `the data folder is in use by another process (${supervisor.pid}): stop that one first`,
  )

  expect(await findRunningPostgres(folder)).not.toBeNull()
  supervisor.kill('SIGKILL')
  await once(supervisor, 'exit')

  const postgres = await startPostgres(folder)

  expect(await postmasterPid()).not.toBe(orphan)
  await postgres.stop()
})

it('refuses a second PostgreSQL on a data folder that is open under another path, and keeps the first one', async () => {
  await copyDatabase()
  const first = await startPostgres(folder)
  const path = `${folder}-link`
  await symlink(folder, path)

  await expect(startPostgres(path)).rejects.toThrow(
    'the data folder is in use by a process that cannot be seen from here',
  )

  // PostgreSQL ends itself within a minute when this file is gone.
  expect(await postmasterPid()).toBeGreaterThan(0)
  expect(await run(first, 'select 1')).toBe(1)
  await first.stop()
  await rm(path)
})

/** The namespaces of a container: no process of another one can be seen, and no shared memory. */
const CONTAINER = ['--pid', '--ipc', '--fork', '--mount-proc']
const hasContainers = spawnSync('unshare', [...CONTAINER, 'true']).status === 0

it.runIf(hasContainers)('refuses a PostgreSQL of another container on a data folder in use', async () => {
  await copyDatabase()
  const first = await startPostgres(folder)
  const second = [...CONTAINER, process.execPath, ...supervisorProgram('process.exit()')]

  await expect(promisify(execFile)('unshare', second)).rejects.toThrow(
    'the data folder is in use by a process that cannot be seen from here',
  )

  expect(await run(first, 'select 1')).toBe(1)
  await first.stop()
})

it('stops PostgreSQL with a process that exits without stopping it, and loses no row', async () => {
  await copyDatabase()
  const supervisor = await startSupervisor(
    `process.on('SIGTERM', () => process.exit(1)); setInterval(() => {}, 1000)`,
  )
  const address = await findRunningPostgres(folder)
  if (address) await run(address, 'create table lures as select 1 as number')
  supervisor.kill('SIGTERM')
  await once(supervisor, 'exit')

  await expect.poll(() => exists(join(folder, 'postgres/postmaster.pid'))).toBe(false)

  const postgres = await startPostgres(folder)
  expect(await run(postgres, 'select number from lures')).toBe(1)
  await postgres.stop()
})

it('recovers the database after PostgreSQL was killed', async () => {
  await copyDatabase()
  const killed = await startPostgres(folder)
  await run(killed, 'create table lures as select 1 as number')
  process.kill(await postmasterPid(), 'SIGKILL')
  await killed.ended

  const postgres = await startPostgres(folder)

  expect(await run(postgres, 'select number from lures')).toBe(1)
  await postgres.stop()
})

it('ignores another process that has the process id of a dead PostgreSQL', async () => {
  await copyDatabase()
  const first = await startPostgres(folder)
  await first.stop()
  // PostgreSQL itself ignores processes of other accounts.
  const { uid, gid } = await stat(join(folder, 'postgres'))
  const other = spawn('sleep', ['600'], { uid, gid })
  await writeFile(join(folder, 'postgres/postmaster.pid'), `${other.pid}\n${folder}/postgres\n0\n5432\n\n`)

  const second = await startPostgres(folder)

  expect(await run(second, 'select 1')).toBe(1)
  await second.stop()
  other.kill()
})
