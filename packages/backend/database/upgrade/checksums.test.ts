import { afterEach, beforeEach, expect, it } from 'vitest'
import { checksumProblems, freezeNewFiles } from './checksums.ts'
import { type SqlFolders, sqlFolders } from './testing/sql-folders.ts'

let sql: SqlFolders

beforeEach(async () => {
  sql = await sqlFolders()
  await sql.write('migrations/0001_lures.sql', 'create table public.lures ()')
  await freezeNewFiles(sql.source.migrations)
})

afterEach(() => sql.close())

function problems(): Promise<string[]> {
  return checksumProblems(sql.source.migrations)
}

it('reports no problem for unchanged frozen files', async () => {
  expect(await problems()).toEqual([])
})

it('reports a migration that was edited after freezing', async () => {
  await sql.write('migrations/0001_lures.sql', 'create table public.lures (id int)')

  expect(await problems()).toEqual(['0001_lures.sql was edited: put it back as it was and write a new file'])
})

it('reports a frozen migration that is missing', async () => {
  await sql.remove('migrations/0001_lures.sql')

  expect(await problems()).toEqual(['0001_lures.sql is missing: put it back, migrations stay for ever'])
})

it('freezes a new migration without changing other checksums', async () => {
  await sql.write('migrations/0002_makers.sql', 'create table public.makers ()')
  expect(await problems()).toEqual([
    '0002_makers.sql is not listed in checksums.json: run npm run migrations:freeze',
  ])

  expect(await freezeNewFiles(sql.source.migrations)).toEqual(['0002_makers.sql'])

  expect(await problems()).toEqual([])
})

it('refuses to freeze an edited migration', async () => {
  await sql.write('migrations/0001_lures.sql', 'create table public.lures (id int)')
  await sql.write('migrations/0002_makers.sql', 'create table public.makers ()')

  await expect(freezeNewFiles(sql.source.migrations)).rejects.toThrow('0001_lures.sql was edited')
  expect(await problems()).toHaveLength(2)
})
