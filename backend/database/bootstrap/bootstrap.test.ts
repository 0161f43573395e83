import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type EmbeddedPostgres, postgresUrl, startPostgres } from '#backend/database/embedded.ts'
import { bootstrap } from '#backend/database/migrate.ts'
import { databaseAt } from '#test/templates.ts'

const FILES = fileURLToPath(new URL('.', import.meta.url))

/** A server that knows nothing of us: its superuser makes a plain user and a database for it. */
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

/** The address of a new database that belongs to a new user with these attributes. */
async function ownerOf(name: string, attributes: string): Promise<string> {
  const password = randomBytes(12).toString('hex')
  await asSuperuser(`create role ${name} login password '${password}' ${attributes}`)
  await asSuperuser(`create database ${name} owner ${name}`)
  const url = new URL(databaseAt(postgresUrl(server, 'supabase_admin'), name, name))
  url.password = password
  return url.href
}

function bootstrapped(url: string): Promise<string> {
  return bootstrap(url, FILES).then(
    () => 'done',
    (error: Error) => error.message,
  )
}

describe('on a server of somebody else', () => {
  it('says in one sentence what the database user lacks', async () => {
    expect(await bootstrapped(await ownerOf('plain', ''))).toContain(
      'The database user "plain" must have BYPASSRLS',
    )
    expect(await bootstrapped(await ownerOf('seeing', 'bypassrls'))).toContain(
      'the database user "seeing" may not create them: ask the server\'s administrator for "alter role seeing createrole"',
    )
  })

  it('serves an owner that is no superuser, who can act as visitor, customer and service', async () => {
    const url = await ownerOf('angler', 'createrole bypassrls')
    expect(await bootstrapped(url)).toBe('done')

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

  it('names the grant that is missing when the roles belong to another owner', async () => {
    expect(await bootstrapped(await ownerOf('second', 'createrole bypassrls'))).toContain(
      'ask the server\'s administrator for "grant ',
    )
  })

  it('leaves a database alone in which everything is there and belongs to others, as on the hosted product', async () => {
    const url = databaseAt(postgresUrl(server, 'supabase_admin'), 'hosted')
    await asSuperuser('create database hosted')
    expect(await bootstrapped(url)).toBe('done')
    await asSuperuser(
      `alter role postgres with login createrole createdb bypassrls password '${server.password}'`,
    )
    await forgetVersion(url)
    const before = await everythingIn(url)

    expect(await bootstrapped(databaseAt(url, 'hosted', 'postgres'))).toBe('done')

    expect(await everythingIn(url)).toEqual(before)
  })
})

describe('on a server of our own', () => {
  it('may run again and changes nothing', async () => {
    const url = databaseAt(postgresUrl(server, 'supabase_admin'), 'again')
    await asSuperuser('create database again')
    await bootstrapped(url)
    await forgetVersion(url)
    const before = await everythingIn(url)

    expect(await bootstrapped(url)).toBe('done')

    expect(await everythingIn(url)).toEqual(before)
  })
})

/** Unchanged files are not run a second time; without the note of them they are. */
async function forgetVersion(url: string): Promise<void> {
  await asUser(url, async (client) => {
    await client.query('delete from supabase_migrations.bootstrap_versions')
    await client.query('grant all on all tables in schema supabase_migrations to postgres')
  })
}

/** Tables, functions and rights, to see that nothing has changed. */
async function everythingIn(url: string): Promise<unknown[]> {
  return asUser(url, async (client) => {
    const { rows } = await client.query(`
      select oid::regclass::text as name, relowner::regrole::text as owner, relacl::text as rights, relrowsecurity as row_security
      from pg_class where relnamespace = any (array['auth', 'storage', 'realtime', 'public']::regnamespace[])
      union all
      select oid::regprocedure::text, proowner::regrole::text, proacl::text, false
      from pg_proc where pronamespace = any (array['auth', 'storage', 'realtime', 'public']::regnamespace[])
      union all
      select nspname, nspowner::regrole::text, nspacl::text, false from pg_namespace where nspname not like 'pg\\_%'
      order by 1`)
    return rows
  })
}
