import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type EmbeddedPostgres, postgresUrl, startPostgres } from '#backend/database/embedded.ts'
import { snapshotCatalogue } from '#backend/testing/catalogue.ts'
import { databaseAt } from '#backend/testing/templates.ts'
import { backendSource, prepareBackend } from './prepare-backend.ts'
import { readLegacyState } from './upgrade/legacy-state.ts'
import { checksumProblems } from './upgrade/checksums.ts'

/** An unprepared server, whose superuser creates plain users and databases. */
let folder: string
let server: EmbeddedPostgres

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bootstrap-'))
  server = await startPostgres(folder, { durable: false })
})

afterAll(async () => {
  await server.stop()
  await rm(folder, { recursive: true })
})

async function asSuperuser(statement: string): Promise<void> {
  await asUser(postgresUrl(server, 'supabase_admin'), (client) => client.query(statement))
}

async function asUser<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** Returns the URL of a new database that belongs to a new user with these attributes. */
async function ownerOf(name: string, attributes: string): Promise<string> {
  const password = randomBytes(12).toString('hex')
  await asSuperuser(`create role ${name} login password '${password}' ${attributes}`)
  await asSuperuser(`create database ${name} owner ${name}`)
  const url = new URL(databaseAt(postgresUrl(server, 'supabase_admin'), name, name))
  url.password = password
  return url.href
}

function prepared(url: string): Promise<string> {
  return prepareBackend(url).then(
    () => 'done',
    (error: Error) => error.message,
  )
}

describe('a managed server', () => {
  it('names the right that the database user lacks in one sentence', async () => {
    expect(await prepared(await ownerOf('plain', ''))).toContain(
      'The database user "plain" must have BYPASSRLS',
    )
    expect(await prepared(await ownerOf('seeing', 'bypassrls'))).toContain(
      'the database user "seeing" may not create them: ask the server\'s administrator for "alter role seeing createrole"',
    )
  })

  it('serves every API role when the database owner is no superuser', async () => {
    const url = await ownerOf('angler', 'createrole bypassrls')
    expect(await prepared(url)).toBe('done')

    await asUser(url, async (client) => {
      await client.query('set role authenticator')
      for (const role of ['anon', 'authenticated', 'service_role']) {
        await client.query(`set role ${role}`)
        await client.query('select auth.uid(), storage.foldername($1)', ['a/b.jpg'])
      }
      await client.query('reset role')
      await client.query(`create table public.catches (angler uuid references auth.users)`)
      await client.query(
        `create policy select_own on storage.objects for select to authenticated using (owner_id = auth.uid()::text)`,
      )
      await client.query(`alter publication supabase_realtime add table public.catches`)
    })
  })

  it('names the missing grant when another owner created the API roles', async () => {
    expect(await prepared(await ownerOf('second', 'createrole bypassrls'))).toContain(
      'ask the server\'s administrator for "grant ',
    )
  })

  it('leaves existing schemas of other owners unchanged, as on hosted Supabase', async () => {
    const url = databaseAt(postgresUrl(server, 'supabase_admin'), 'hosted')
    await asSuperuser('create database hosted')
    expect(await prepared(url)).toBe('done')
    await asSuperuser(
      `alter role postgres with login createrole createdb bypassrls password '${server.password}'`,
    )
    await asUser(url, (client) =>
      client.query('drop schema realtime_feed cascade; drop schema supabase_migrations cascade'),
    )
    const before = await snapshotCatalogue(url)

    expect(await prepared(databaseAt(url, 'hosted', 'postgres'))).toBe('done')

    const after = Object.entries(await snapshotCatalogue(url))
    expect(Object.fromEntries(after.filter(([key]) => !key.includes('realtime_feed')))).toEqual(before)
    expect(after.length).toBeGreaterThan(Object.keys(before).length)
  })
})

describe('an own server', () => {
  it('changes nothing when the preparation of the database runs a second time', async () => {
    const url = databaseAt(postgresUrl(server, 'supabase_admin'), 'again')
    await asSuperuser('create database again')
    await prepared(url)
    const before = await snapshotCatalogue(url)
    // Without the records of repeatable files, all of them are applied again.
    await asUser(url, (client) => client.query('delete from supabase_migrations.repeatable_files'))

    expect(await prepared(url)).toBe('done')

    expect(await snapshotCatalogue(url)).toEqual(before)
  })

  it('lists every backend migration with a frozen checksum', async () => {
    expect(await checksumProblems(backendSource.migrations)).toEqual([])
  })

  it('adopts a database with the last schema before 1.0 and refuses an older schema', async () => {
    const url = databaseAt(postgresUrl(server, 'supabase_admin'), 'earlier')
    await asSuperuser('create database earlier')
    await prepared(url)
    const before = await snapshotCatalogue(url)
    const { bootstrap = [] } = (await readLegacyState(backendSource)) ?? {}
    await recordAsBeforeOne(url, '0'.repeat(64))
    expect(await prepared(url)).toContain('start the last version before 1.0 on it first')

    await recordAsBeforeOne(url, bootstrap[0] ?? '')
    expect(await prepared(url)).toBe('done')

    expect(await snapshotCatalogue(url)).toEqual(before)
  })

  it('does not adopt a database again after an older version has used the database', async () => {
    const url = databaseAt(postgresUrl(server, 'supabase_admin'), 'downgraded')
    await asSuperuser('create database downgraded')
    await prepared(url)
    await asUser(url, (client) =>
      client.query(`
        create table supabase_migrations.bootstrap_versions (version text, applied_at timestamptz);
        insert into supabase_migrations.bootstrap_versions values ('any', now())`),
    )

    expect(await prepared(url)).toBe('done')
  })
})

/** Reduces the records to those of the last schema before 1.0. */
async function recordAsBeforeOne(url: string, hash: string): Promise<void> {
  await asUser(url, async (client) => {
    await client.query(`
      drop schema supabase_migrations cascade;
      create schema supabase_migrations;
      grant all on schema supabase_migrations to postgres;
      create table supabase_migrations.bootstrap_versions (version text, applied_at timestamptz default now())`)
    await client.query('insert into supabase_migrations.bootstrap_versions values ($1)', [hash])
  })
}
