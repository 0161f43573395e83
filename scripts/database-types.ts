/** `npm run types:database`: generates the types of tables, views and functions from a fresh database. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { postgresUrl, startPostgres } from '#backend/database/embedded.ts'
import { openDatabase } from '#backend/database/pool.ts'
import { buildTemplates, databaseAt } from '#test/templates.ts'
import { databaseTypes, TYPES_FILE } from './database-types/database-types.ts'

const folder = await mkdtemp(join(tmpdir(), 'database-types-'))
const postgres = await startPostgres(folder, { durable: false })
try {
  const url = postgresUrl(postgres, 'supabase_admin')
  const problem = await buildTemplates(url)
  if (problem) throw new Error(problem)
  const database = openDatabase(databaseAt(url, 'shop', 'postgres'))
  await writeFile(TYPES_FILE, await databaseTypes(database.owner))
  await database.close()
} finally {
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
}
