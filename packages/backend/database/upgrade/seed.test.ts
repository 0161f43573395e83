import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { emptyDatabase, type TestDatabase } from '#backend/testing/database.ts'
import { seed } from './seed.ts'
import { type SqlFolders, sqlFolders } from './testing/sql-folders.ts'
import { upgradeDatabase } from './upgrade.ts'

let empty: TestDatabase
let sql: SqlFolders

beforeEach(async () => {
  empty = await emptyDatabase()
  sql = await sqlFolders()
  await sql.write('migrations/0001_lures.sql', 'create table public.lures (price int)')
  await mkdir(join(sql.folder, 'seed'))
})

afterEach(async () => {
  await empty.close()
  await sql.close()
})

async function start(): Promise<string[]> {
  let ran: string[] = []
  await upgradeDatabase(empty.url, {
    sources: [sql.source],
    release: { version: '1.0.0', compatibleFrom: '1.0.0' },
    finish: async (run) => {
      ran = await seed(run, join(sql.folder, 'seed'))
    },
  })
  return ran
}

it('never overwrites or restores seeded rows that people have changed', async () => {
  await sql.write('seed/10_catalogue.sql', 'insert into public.lures values (250)')
  expect(await start()).toEqual(['10_catalogue.sql'])
  await empty.database.owner.query('update public.lures set price = 300')

  expect(await start()).toEqual([])

  const { rows } = await empty.database.owner.query('select price from public.lures')
  expect(rows).toEqual([{ price: 300 }])
})

it('names file and line of a failing seed file and leaves the database empty', async () => {
  await sql.write(
    'seed/10_catalogue.sql',
    'insert into public.lures values (250);\ninsert into public.lure values (1)',
  )

  await expect(start()).rejects.toThrow('10_catalogue.sql, line 2: relation "public.lure" does not exist')

  const { rows } = await empty.database.owner.query(`select to_regclass('public.lures') as made`)
  expect(rows).toEqual([{ made: null }])
})
