import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client, DatabaseError, type Pool } from 'pg'
import { DatabaseProblem } from './problem.ts'

/** Any number, the same in every process: whoever prepares the database holds it. */
const PREPARING = 7_258_373

/** Waiting for another process that prepares the same database ends after this. */
const LOCK_TIMEOUT_MS = 60_000

interface SqlFile {
  name: string
  sql: string
}

/**
 * Roles, schemas and functions that migrations may rely on, made by a superuser before them. The files may be run again
 * and again; they are when one of them has changed.
 */
export async function bootstrap(url: string, folder: string): Promise<void> {
  const files = await sqlFiles(folder)
  const version = createHash('sha256').update(JSON.stringify(files)).digest('hex')
  await alone(url, async (client) => {
    await client.query(`
      create schema if not exists supabase_migrations;
      create table if not exists supabase_migrations.bootstrap_versions
        (version text primary key, applied_at timestamptz not null default now())`)
    const known = 'select from supabase_migrations.bootstrap_versions where version = $1'
    if ((await client.query(known, [version])).rowCount) return

    await atOnce(client, async () => {
      for (const file of files) await execute(client, file, 'bootstrap')
      await client.query('grant all on supabase_migrations.bootstrap_versions to postgres')
      await client.query('insert into supabase_migrations.bootstrap_versions (version) values ($1)', [
        version,
      ])
    })
  })
}

/**
 * Applies the migrations that are missing, in order, each in a transaction of its own, and remembers them in the table
 * that the hosted backend's own tool uses, so both see one history.
 */
export async function migrate(url: string, folder: string): Promise<string[]> {
  const files = await sqlFiles(folder)
  return alone(url, async (client) => {
    await client.query(`
      create schema if not exists supabase_migrations;
      create table if not exists supabase_migrations.schema_migrations
        (version text primary key, statements text[], name text)`)
    const { rows } = await client.query<{ version: string }>(
      'select version from supabase_migrations.schema_migrations',
    )
    const applied = new Set(rows.map((row) => row.version))
    const missing = files.filter((file) => !applied.has(versionOf(file)))

    for (const file of missing) {
      await atOnce(client, async () => {
        await execute(client, file, 'migration')
        await client.query(
          'insert into supabase_migrations.schema_migrations (version, statements, name) values ($1, $2, $3)',
          [versionOf(file), [file.sql], file.name.replace(/^\d+_/, '').replace(/\.sql$/, '')],
        )
      })
    }
    return missing.map((file) => file.name)
  })
}

/** What a new shop starts with. Each file runs once; what people change afterwards stays changed. */
export async function seed(url: string, folder: string): Promise<string[]> {
  const files = await sqlFiles(folder)
  return alone(url, async (client) => {
    await client.query(`
      create table if not exists supabase_migrations.seed_files (path text primary key, hash text not null)`)
    const { rows } = await client.query<{ path: string }>('select path from supabase_migrations.seed_files')
    const sown = new Set(rows.map((row) => row.path))
    const missing = files.filter((file) => !sown.has(file.name))

    for (const file of missing) {
      await atOnce(client, async () => {
        await execute(client, file, 'seed')
        const hash = createHash('sha256').update(file.sql).digest('hex')
        await client.query('insert into supabase_migrations.seed_files (path, hash) values ($1, $2)', [
          file.name,
          hash,
        ])
      })
    }
    return missing.map((file) => file.name)
  })
}

/** Names of migrations that the folder holds and the database lacks. */
export async function missingMigrations(pool: Pool, folder: string): Promise<string[]> {
  const files = await sqlFiles(folder)
  const { rows } = await pool.query<{ version: string }>(
    'select version from supabase_migrations.schema_migrations',
  )
  const applied = new Set(rows.map((row) => row.version))
  return files.filter((file) => !applied.has(versionOf(file))).map((file) => file.name)
}

async function sqlFiles(folder: string): Promise<SqlFile[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).toSorted()
  return Promise.all(names.map(async (name) => ({ name, sql: await readFile(join(folder, name), 'utf8') })))
}

function versionOf(file: SqlFile): string {
  return /^\d+/.exec(file.name)?.[0] ?? file.name
}

/** Processes that start together over one database take turns. */
async function alone<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
  await client.connect()
  try {
    await client.query(`set lock_timeout = ${LOCK_TIMEOUT_MS}`)
    await client.query('select pg_advisory_lock($1)', [PREPARING])
    return await work(client)
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error
    throw new DatabaseProblem(`the database cannot be prepared: ${error.message}`, { cause: error })
  } finally {
    await client.end()
  }
}

async function atOnce(client: Client, work: () => Promise<void>): Promise<void> {
  await client.query('begin')
  try {
    await work()
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}

async function execute(client: Client, file: SqlFile, kind: string): Promise<void> {
  try {
    await client.query(file.sql)
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error
    const line = error.position ? file.sql.slice(0, Number(error.position)).split('\n').length : null
    const place = line ? `, line ${line}` : ''
    throw new DatabaseProblem(`${kind} ${file.name}${place} fails: ${error.message}`, { cause: error })
  }
}
