import { execFile } from 'node:child_process'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { postgresUrl, startPostgres } from '../../embedded.ts'
import { embeddedServer } from '../../with-server.ts'
import { prepareApplication } from '../../prepare-application.ts'
import { sqlFolders } from '../../upgrade/testing/sql-folders.ts'
import { smallApplication } from './small-application.ts'

/** Major version, number of rows and highest number of the table of `postgres17`. */
export const LURES = `
  select concat_ws(' ', current_setting('server_version_num')::int / 10000, count(*), max(id)) from public.lures`

/** Prepares a data folder of PostgreSQL 17 with 500 rows. Tests copy it, because creating one takes seconds. */
export async function postgres17() {
  const sql = await sqlFolders()
  await sql.write(
    'migrations/0001_lures.sql',
    'create table public.lures (id bigint generated always as identity, name text)',
  )
  const prepared = await mkdtemp(join(tmpdir(), 'postgres-17-'))
  const postgres = await startPostgres(prepared, { newMajor: 17, durable: false })
  await prepareApplication(embeddedServer(postgres), smallApplication(sql.folder))
  await postgres.stop()
  await runOn(prepared, `insert into public.lures (name) select 'Lure ' || n from generate_series(1, 500) n`)
  return {
    sql,
    async copy(): Promise<string> {
      const folder = await mkdtemp(join(tmpdir(), 'moved-'))
      await chmod(folder, 0o711)
      await promisify(execFile)('cp', ['-a', `${prepared}/.`, folder])
      return folder
    },
    async close() {
      await sql.close()
      await rm(prepared, { recursive: true, force: true })
    },
  }
}

/** Starts a folder's database for some statements. Returns the first value of the last. */
export async function runOn(folder: string, ...statements: string[]): Promise<unknown> {
  const postgres = await startPostgres(folder, { durable: false })
  const client = new Client({ connectionString: postgresUrl(postgres, 'supabase_admin') })
  try {
    await client.connect()
    let value: unknown
    for (const text of statements) {
      // oxlint-disable-next-line no-await-in-loop -- in order
      const { rows } = await client.query({ text, rowMode: 'array' })
      value = rows[0]?.[0]
    }
    return value
  } finally {
    await client.end()
    await postgres.stop()
  }
}
