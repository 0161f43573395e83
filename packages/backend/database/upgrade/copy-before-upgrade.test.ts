import { execFile } from 'node:child_process'
import { chmod, mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { postgresUrl } from '../embedded.ts'
import { finishUpgrade, startForUpgrade } from './copy-before-upgrade.ts'
import type { Release } from './release.ts'
import { prepareRoles } from '../prepare-backend.ts'
import { type SqlFolders, sqlFolders } from './testing/sql-folders.ts'
import { inspectDatabase, upgradeDatabase } from './upgrade.ts'

const LURES = 'create table public.lures (id int); insert into public.lures values (1)'

/** A data folder at version 1.0.0. Tests copy it, because creating one takes seconds. */
let prepared: string
let folder: string
let sql: SqlFolders
let logged: [fields: object, message: string][] = []

beforeAll(async () => {
  prepared = await mkdtemp(join(tmpdir(), 'prepared-'))
  folder = prepared
  sql = await sqlFolders()
  await sql.write('migrations/0001_lures.sql', LURES)
  await start('1.0.0')
  await sql.close()
})

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'copied-'))
  await chmod(folder, 0o711)
  await promisify(execFile)('cp', ['-a', `${prepared}/.`, folder])
  sql = await sqlFolders()
  await sql.write('migrations/0001_lures.sql', LURES)
  logged = []
})

afterEach(async () => {
  await sql.close()
  await rm(folder, { recursive: true, force: true })
})

afterAll(() => rm(prepared, { recursive: true, force: true }))

const log = { info: (fields: object, message: string) => void logged.push([fields, message]) }

/** Starts and stops the shop once. */
async function start(version: string, options: { freeBytes?: () => Promise<number>; sql?: string } = {}) {
  const release: Release = { version, compatibleFrom: version }
  const upgrade = { sources: [sql.source], release }
  const server = await startForUpgrade(folder, {
    version,
    log,
    inspect: (address) => inspectDatabase(postgresUrl(address, 'supabase_admin'), upgrade),
    freeBytes: options.freeBytes,
    postgres: { durable: false },
  })
  const url = postgresUrl(server, 'supabase_admin')
  try {
    await prepareRoles(url)
    await upgradeDatabase(url, upgrade)
    await finishUpgrade(folder, { kind: server.kind, log })
    return await query(url, options.sql ?? 'select 1')
  } finally {
    await server.stop()
  }
}

async function query(url: string, text: string): Promise<unknown> {
  const client = new Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query({ text, rowMode: 'array' })
  await client.end()
  return rows[0]?.[0]
}

async function copies(): Promise<string[]> {
  return (await readdir(folder)).filter((name) => name.startsWith('postgres.before'))
}

it('copies the database before an upgrade and removes the copy at the next start', async () => {
  await sql.write('migrations/0002_clear.sql', 'delete from public.lures')

  expect(await start('1.1.0', { sql: 'select count(*)::int from public.lures' })).toBe(0)

  expect(await copies()).toEqual(['postgres.before-1.1.0'])
  expect(logged).toEqual([
    [
      { copy: join(folder, 'postgres.before-1.1.0') },
      'Copied the database before its upgrade to version 1.1.0',
    ],
  ])
  await start('1.1.0')
  expect(await copies()).toEqual([])
})

it('starts the earlier version when the copy replaces the upgraded database', async () => {
  await sql.write('migrations/0002_clear.sql', 'delete from public.lures')
  await start('1.1.0')

  await rename(join(folder, 'postgres'), join(folder, 'given-up'))
  await rename(join(folder, 'postgres.before-1.1.0'), join(folder, 'postgres'))
  await sql.remove('migrations/0002_clear.sql')

  expect(await start('1.0.0', { sql: 'select count(*)::int from public.lures' })).toBe(1)
})

it('keeps the copy of the database when the upgrade fails', async () => {
  await sql.write('migrations/0002_bad.sql', 'select 1 / 0')

  await expect(start('1.1.0')).rejects.toThrow('0002_bad.sql, line 1: division by zero')

  expect(await copies()).toEqual(['postgres.before-1.1.0'])
})

it('refuses an upgrade when the disk is too full for the copy of the database', async () => {
  await sql.write('migrations/0002_more.sql', 'create table public.more ()')

  await expect(start('1.1.0', { freeBytes: () => Promise.resolve(5 * 1024 * 1024) })).rejects.toThrow(
    /copying the database before its upgrade needs \d+ MB in .*, but only 5 MB are free/,
  )

  expect(await copies()).toEqual([])
  await sql.remove('migrations/0002_more.sql')
  expect(await start('1.0.0', { sql: `select to_regclass('public.more')` })).toBe(null)
})
