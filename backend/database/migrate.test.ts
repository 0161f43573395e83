import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { bareDatabase, type TestDatabase } from '#test/database.ts'
import { migrate, missingMigrations, seed } from './migrate.ts'

let bare: TestDatabase
let folder: string

beforeEach(async () => {
  bare = await bareDatabase()
  folder = await mkdtemp(join(tmpdir(), 'migrations-'))
})

afterEach(async () => {
  await bare.close()
  await rm(folder, { recursive: true })
})

function write(name: string, sql: string) {
  return writeFile(join(folder, name), sql)
}

async function one(sql: string): Promise<unknown> {
  const { rows } = await bare.database.owner.query({ text: sql, rowMode: 'array' })
  return rows[0]?.[0]
}

describe('migrate', () => {
  it('applies what is missing, in order, once, and remembers it as the hosted tool does', async () => {
    await write('20260102_colours.sql', `insert into lures values ('white')`)
    await write('20260101_lures.sql', 'create table lures (colour text)')

    const first = await migrate(bare.url, folder)
    const second = await migrate(bare.url, folder)

    expect(first).toEqual(['20260101_lures.sql', '20260102_colours.sql'])
    expect(second).toEqual([])
    expect(await one('select count(*)::int from lures')).toBe(1)
    const { rows } = await bare.database.owner.query(
      'select version, name, statements from supabase_migrations.schema_migrations order by version',
    )
    expect(rows[0]).toEqual({
      version: '20260101',
      name: 'lures',
      statements: ['create table lures (colour text)'],
    })
  })

  it('leaves nothing of a migration that fails, names its line, and goes on there next time', async () => {
    await write('1_good.sql', 'create table good ()')
    await write('2_bad.sql', 'create table half ();\n\nselect * from nowhere;')

    await expect(migrate(bare.url, folder)).rejects.toThrow(
      'migration 2_bad.sql, line 3 fails: relation "nowhere" does not exist',
    )

    expect(await one(`select to_regclass('good') is not null and to_regclass('half') is null`)).toBe(true)
    expect(await missingMigrations(bare.database.owner, folder)).toEqual(['2_bad.sql'])
    await write('2_bad.sql', 'create table half ()')
    expect(await migrate(bare.url, folder)).toEqual(['2_bad.sql'])
  })

  it('lets processes that start together take turns', async () => {
    await write('1_lures.sql', 'select pg_sleep(0.1); create table lures ()')

    const applied = await Promise.all([1, 2, 3].map(() => migrate(bare.url, folder)))

    expect(applied.flat()).toEqual(['1_lures.sql'])
  })

  it('runs as a role that is no superuser', async () => {
    await write('1_escape.sql', `copy (select 1) to program 'true'`)

    await expect(migrate(bare.url, folder)).rejects.toThrow('permission denied')
  })
})

describe('seed', () => {
  it('never brings back what people have changed', async () => {
    await write('catalogue.sql', `create table lures (price int); insert into lures values (250)`)
    await seed(bare.url, folder)
    await bare.database.owner.query('update lures set price = 300')

    const sown = await seed(bare.url, folder)

    expect(sown).toEqual([])
    expect(await one('select price from lures')).toBe(300)
  })
})
