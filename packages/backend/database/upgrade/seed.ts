import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { selectRows } from '../select-rows.ts'
import { type Run, runStep } from './run.ts'
import { hashOfSql } from './source.ts'

const seedFile = z.object({ path: z.string() })

/** Runs the SQL files with a new shop's initial data, each once, so that later edits stay. Returns the names of the files run. */
export async function seed(run: Run, folder: string): Promise<string[]> {
  const { client } = run
  await client.query(`
    create table if not exists supabase_migrations.seed_files (path text primary key, hash text not null)`)
  const rows = await selectRows(client, seedFile, ['select path from supabase_migrations.seed_files'])
  const done = new Set(rows.map(({ path }) => path))
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql') && !done.has(name)).toSorted()
  for (const path of names) {
    const sql = await readFile(join(folder, path), 'utf8')
    const hash = hashOfSql(sql)
    await runStep(run, sql, { file: { path, sql, hash, subject: '' }, line: 1 })
    await client.query('insert into supabase_migrations.seed_files (path, hash) values ($1, $2)', [
      path,
      hash,
    ])
  }
  return names
}
