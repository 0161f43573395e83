import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { databaseWithoutShop, shopDatabase } from '#test/database.ts'
import { freePort, isLongRun } from '@saltfreak/backend/testing'
import { runUntilExit } from '#test/running-shop.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'refusal-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

describe('a failed start', () => {
  it('exits with a one-line error that names the occupied port', async () => {
    const port = await freePort()
    const other = createServer().listen(port, '127.0.0.1')
    await once(other, 'listening')

    const { code, output } = await runUntilExit({ PORT: String(port), DATA_DIR: folder })

    other.close()
    expect(output).toBe(`port ${port} is in use: stop the other program, or set PORT to another one\n`)
    expect(code).toBe(1)
  })

  it('exits with a one-line error that names the unwritable data folder', async () => {
    const file = join(folder, 'a-file')
    await writeFile(file, '')

    const { code, output } = await runUntilExit({ DATA_DIR: join(file, 'data') })

    expect(output).toBe(`the data folder ${file}/data is not writable: give DATA_DIR a folder that is\n`)
    expect(code).toBe(1)
  })

  it('exits with a one-line error that names the unreachable database', async () => {
    const port = await freePort()
    const { code, output } = await runUntilExit({
      PORT: String(await freePort()),
      DATA_DIR: folder,
      DATABASE_URL: `postgresql://shop:secret@127.0.0.1:${port}/shop`,
    })

    expect(output).toBe(
      `the database at 127.0.0.1:${port} does not answer: connect ECONNREFUSED 127.0.0.1:${port}\n`,
    )
    expect(code).toBe(1)
  })

  it.runIf(isLongRun)('exits with a one-line error that names the failed migration', async () => {
    const test = await databaseWithoutShop('bare')
    await test.database.owner.query('create schema private')

    const { code, output } = await runUntilExit({
      PORT: String(await freePort()),
      DATA_DIR: folder,
      DATABASE_URL: test.url,
    })

    await test.close()
    expect(output).toMatch(/^0001_foundations\.sql, line \d+: schema "private" already exists\n$/)
    expect(code).toBe(1)
  })
})

describe.each([
  ['keys', { program: 'scripts/keys.ts' }],
  ['admin', { program: 'scripts/admin.ts', args: ['grant', 'thandi@example.com'] }],
])('npm run %s', (_, command) => {
  it('refuses the database of an earlier version, and does not upgrade it', async () => {
    const test = await shopDatabase()
    const { owner } = test.database
    await owner.query(`with newer as (delete from supabase_migrations.releases)
      insert into supabase_migrations.releases (version, compatible_from) values ('0.9.0', '0.9.0')`)

    const { code, output } = await runUntilExit({ DATA_DIR: folder, DATABASE_URL: test.url }, command)

    const { rows } = await owner.query('select version from supabase_migrations.releases')
    await test.close()
    expect(output).toMatch(
      /^the database does not have version \S+ yet: start this version of the shop, then repeat the command\n$/,
    )
    expect(code).toBe(1)
    expect(rows).toEqual([{ version: '0.9.0' }])
  })
})

it('npm run keys refuses a data folder without a database, and does not create one', async () => {
  const { code, output } = await runUntilExit({ DATA_DIR: folder }, { program: 'scripts/keys.ts' })

  expect(output).toBe(`there is no database in ${folder} yet: start the shop first\n`)
  expect(code).toBe(1)
})

it('prints one line when the file of a secret does not exist', async () => {
  const { code, output } = await runUntilExit({ DATA_DIR: folder, JWT_SECRET_FILE: '/nowhere/secret' })

  expect(output).toBe('JWT_SECRET_FILE: /nowhere/secret cannot be read: it does not exist\n')
  expect(code).toBe(1)
})
