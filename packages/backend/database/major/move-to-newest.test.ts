import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { NEWEST_MAJOR } from '../binaries.ts'
import { startPostgres } from '../embedded.ts'
import { removeFormerClusters } from './clusters.ts'
import { moveToNewestMajor } from './move-to-newest.ts'
import { LURES, postgres17, runOn } from './testing/data-folder.ts'
import { smallApplication } from './testing/small-application.ts'

let prepared: Awaited<ReturnType<typeof postgres17>>
let folder: string

const log = { info: vi.fn(), error: vi.fn() }
const move = (options: Partial<Parameters<typeof moveToNewestMajor>[1]> = {}) =>
  moveToNewestMajor(folder, { application: smallApplication(prepared.sql.folder), log, ...options })
const run = (...statements: string[]) => runOn(folder, ...statements)

beforeAll(async () => {
  prepared = await postgres17()
})
beforeEach(async () => {
  folder = await prepared.copy()
  vi.resetAllMocks()
})
afterEach(() => rm(folder, { recursive: true, force: true }))
afterAll(() => prepared.close())

it('creates new databases with the newest PostgreSQL, and opens those of the version before unchanged', async () => {
  expect(await run(LURES)).toBe('17 500 500')
  await rm(join(folder, 'postgres'), { recursive: true })

  expect(await run(`select current_setting('server_version_num')::int / 10000`)).toBe(NEWEST_MAJOR)
})

it('refuses the database of a PostgreSQL that the program lacks, with one line', async () => {
  await writeFile(join(folder, 'postgres', 'PG_VERSION'), '19\n')

  await expect(startPostgres(folder)).rejects.toThrow(
    'the database is of PostgreSQL 19, this version of the program brings 17 and 18: use the version that wrote it',
  )
})

it('moves rows, sequences, settings and passwords although moves before were killed, finishes an interrupted switch, and keeps the former database for thirty days', async () => {
  await run(
    `alter role authenticated set statement_timeout = '21s'`,
    `alter role anon reset all`,
    `alter database postgres set search_path to "$user", public, "Odd name"`,
    `alter database postgres set shop.note = 'it''s, "quoted"'`,
    `alter role authenticator password 'kept'`,
  )
  const state = `select string_agg(line, E'\\n' order by line) from (
    select concat_ws(' ', s.setrole::regrole, d.datname, s.setconfig) as line
    from pg_db_role_setting s left join pg_database d on d.oid = s.setdatabase
    union all select rolname || ' ' || rolpassword from pg_authid where rolpassword is not null) as lines`
  const former = await run(state)
  await writeFile(join(folder, 'backup-chain'), 'of the former log')
  await writeFile(join(folder, 'postgres.port'), '5432')
  // Moves that were killed: while copying, and before the switch.
  await mkdir(join(folder, 'postgres-18.unfinished', 'base'), { recursive: true })
  await mkdir(join(folder, 'postgres.ready', 'base'), { recursive: true })

  await move()

  expect(log.error).not.toHaveBeenCalled()
  // A slow machine also reports how far the move is.
  const messages = log.info.mock.calls.map(([, message]) => String(message))
  expect(messages.filter((message) => !message.endsWith(' %'))).toEqual([
    'Moving the database to PostgreSQL 18; when interrupted, the present one opens again',
    'Moved the database to PostgreSQL 18; the former one is kept',
  ])
  // A power cut between the renamings.
  await rename(join(folder, 'postgres'), join(folder, 'postgres.ready'))
  expect(await run(state)).toBe(former)
  expect(former).toContain('shop.note')
  expect(await run(LURES)).toBe('18 500 500')
  expect(await run(`insert into public.lures (name) values ('Next') returning id::int`)).toBe(501)
  const [kept = ''] = (await readdir(folder)).filter((name) => name.startsWith('postgres-17.until-'))
  expect(await readdir(folder)).toEqual(['postgres', kept, 'postgres.log', 'postgres.password'])

  expect(await removeFormerClusters(join(folder, 'postgres'))).toEqual([])
  await rename(join(folder, kept), join(folder, 'postgres-17.until-2020-01-01'))
  await mkdir(join(folder, 'postgres-notes'))
  expect(await removeFormerClusters(join(folder, 'postgres'))).toEqual([
    join(folder, 'postgres-17.until-2020-01-01'),
  ])
})

it('stays on the older PostgreSQL with an index, a role or a database of the operator, and names them', async () => {
  await run(
    'create index by_name on public.lures (name)',
    'create role reporter login',
    'create database other',
  )

  await move()

  expect(log.error.mock.calls).toEqual([
    [
      {
        reason: expect.stringMatching(
          /^the database defines what this version of the program does not: database other, index public.by_name, role reporter/,
        ),
      },
      'The database stays on PostgreSQL 17; the next start tries again to move it',
    ],
  ])
  expect(await readdir(folder)).toEqual(['postgres', 'postgres.log', 'postgres.password'])
  expect(await run(LURES)).toBe('17 500 500')
})

it('stays on the older PostgreSQL when the disk has no room for a second database, and says how much it needs', async () => {
  await move({ freeBytes: () => Promise.resolve(10 * 1024 ** 2) })

  expect(log.error.mock.calls[0]?.[0]).toMatchObject({
    reason: expect.stringMatching(
      /moving the database to PostgreSQL 18 needs \d+ MB in .*, but only 10 MB are free/,
    ),
  })
  expect(await run(LURES)).toBe('17 500 500')
})

it('stays on the older PostgreSQL in a start that upgrades the tables', async () => {
  await prepared.sql.write('migrations/0002_more.sql', 'create table public.more ()')
  try {
    await move()
  } finally {
    await prepared.sql.remove('migrations/0002_more.sql')
  }

  expect(log.info.mock.calls.map(([, message]) => message)).toEqual([
    'The database stays on PostgreSQL 17 until a start that does not upgrade its tables',
  ])
  expect(await readFile(join(folder, 'postgres', 'PG_VERSION'), 'utf8')).toBe('17\n')
})
