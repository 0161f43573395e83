import { Client } from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DatabaseProblem } from '#backend/database/database-problem.ts'
import { snapshotCatalogue } from '#backend/testing/catalogue.ts'
import { emptyDatabase, type TestDatabase } from '#backend/testing/database.ts'
import { type SqlFolders, sqlFolders } from './testing/sql-folders.ts'
import { inspectDatabase, type Upgrade, upgradeDatabase } from './upgrade.ts'

const LURES =
  'create table public.lures (id int primary key, price int); alter table public.lures enable row level security;'

let empty: TestDatabase
let sql: SqlFolders

beforeEach(async () => {
  empty = await emptyDatabase()
  sql = await sqlFolders()
  await sql.write('migrations/0001_lures.sql', LURES)
})

afterEach(async () => {
  await empty.close()
  await sql.close()
})

function upgrade(options: Partial<Upgrade> = {}) {
  return upgradeDatabase(empty.url, { ...versionOne(), ...options })
}

function versionOne(): Upgrade {
  return { sources: [sql.source], release: release('1.0.0') }
}

function release(version: string, compatibleFrom = version) {
  return { version, compatibleFrom }
}

function failAfterwards(): Promise<never> {
  return Promise.reject(new Error('no seed'))
}

/** Returns the operator's message of a failing upgrade. */
function refusal(options: Partial<Upgrade> = {}): Promise<string> {
  return upgrade(options).then(
    (kind) => `no refusal: ${kind}`,
    (error: Error) => error.message,
  )
}

async function one(text: string): Promise<unknown> {
  const { rows } = await empty.database.owner.query({ text, rowMode: 'array' })
  return rows[0]?.[0]
}

describe('versioned files', () => {
  it('applies versioned files once in order and records them like the Supabase CLI', async () => {
    await sql.write('migrations/0002_white.sql', 'insert into public.lures values (1, 250)')

    expect(await upgrade()).toBe('fresh')
    expect(await upgrade()).toBe('current')

    expect(await one('select count(*)::int from public.lures')).toBe(1)
    const { rows } = await empty.database.owner.query(
      'select version, name, statements from supabase_migrations.schema_migrations order by version',
    )
    expect(rows[0]).toEqual({ version: '0001', name: 'lures', statements: [LURES] })
  })

  it('refuses an upgrade when an applied file was edited, and names the file', async () => {
    await upgrade()
    await sql.write('migrations/0001_lures.sql', `${LURES} -- edited`)

    expect(await refusal()).toContain('0001_lures.sql was edited after it had been applied')
  })

  it('accepts an applied migration file whose line endings have changed', async () => {
    await sql.write('migrations/0001_lures.sql', 'create table public.lures (\nid int)')
    await upgrade()
    await sql.write('migrations/0001_lures.sql', 'create table public.lures (\r\nid int)')

    expect(await upgrade()).toBe('current')
  })

  it('refuses to start when an applied file is missing, and names the file', async () => {
    await upgrade()
    await sql.remove('migrations/0001_lures.sql')

    expect(await refusal()).toContain('0001_lures.sql was applied to the database but is missing')
  })

  it('refuses a new migration that is numbered before an applied migration', async () => {
    await sql.write('migrations/0003_makers.sql', 'create table public.makers ()')
    await upgrade()
    await sql.write('migrations/0002_late.sql', 'create table public.late ()')

    expect(await refusal()).toContain('0002_late.sql comes before 0003')
  })

  it('rolls back an upgrade whose last file fails, and names the line', async () => {
    await sql.write(
      'schema/lures/price.sql',
      `create function public.price() returns int language sql as 'select 1'`,
    )
    await upgrade()
    const before = await snapshotCatalogue(empty.url)
    await sql.write('migrations/0002_makers.sql', 'create table public.makers ()')
    await sql.write(
      'schema/lures/price.sql',
      `create function public.cost() returns int language sql as 'select 1'`,
    )
    await sql.write(
      'migrations/0003_bad.sql',
      `-- a comment\ncreate table public.half ();\n\nselect *\nfrom nowhere;`,
    )

    const problem = await upgrade({ release: release('1.1.0') }).catch((error: unknown) => error)

    expect(problem).toBeInstanceOf(DatabaseProblem)
    expect(problem).toMatchObject({ message: '0003_bad.sql, line 5: relation "nowhere" does not exist' })

    expect(await snapshotCatalogue(empty.url)).toEqual(before)
    expect(await one('select string_agg(version, $$ $$) from supabase_migrations.schema_migrations')).toBe(
      '0001',
    )
    expect(await one('select string_agg(version, $$ $$) from supabase_migrations.releases')).toBe('1.0.0')
  })

  it('refuses a migration with a syntax error before the database changes', async () => {
    await sql.write('migrations/0002_typo.sql', 'create table public.ok ();\ncreate tabel public.typo ();')

    expect(await refusal()).toBe('0002_typo.sql, line 2: syntax error at or near "tabel"')
    expect(await one(`select to_regclass('supabase_migrations.releases')`)).toBe(null)
  })

  it('refuses a versioned file that ends the transaction', async () => {
    await sql.write('migrations/0002_commit.sql', 'commit;')

    expect(await refusal()).toContain('0002_commit.sql, line 1: a file must not begin or end a transaction')
  })

  it('refuses a migration without four digits in its name', async () => {
    await sql.write('migrations/20261121_lures.sql', '')

    expect(await refusal()).toContain('20261121_lures.sql: name a migration NNNN_subject.sql')
  })

  it('runs migrations as the configured role on a superuser’s connection', async () => {
    sql.source.roleOf = () => 'postgres'
    const url = empty.superuserUrl
    await sql.write('schema/lures/all.sql', 'create view public.all_lures as select id from public.lures;')
    await upgradeDatabase(url, versionOne())
    expect(
      await one(
        `select string_agg(distinct relowner::regrole::text, ' ') from pg_class where relname like '%lures%'`,
      ),
    ).toBe('postgres')

    await sql.write('migrations/0002_escape.sql', `copy (select 1) to program 'true'`)
    await expect(upgradeDatabase(url, versionOne())).rejects.toThrow(
      '0002_escape.sql, line 1: permission denied',
    )
  })
})

describe('releases', () => {
  it('refuses a database of a newer, incompatible version and names the required version', async () => {
    await upgrade({ release: release('1.10.0') })

    expect(await refusal({ release: release('1.9.0') })).toBe(
      'the database belongs to version 1.10.0, which version 1.9.0 does not understand: start version 1.10.0 or newer',
    )
  })

  it('starts on a database of a newer compatible version and applies nothing', async () => {
    await upgrade({ release: release('1.1.0', '1.0.0') })
    const before = await snapshotCatalogue(empty.url)
    await sql.write('migrations/0001_lures.sql', 'create table public.lures ()')
    await sql.write(
      'schema/lures/price.sql',
      `create function public.price() returns int language sql as 'select 1'`,
    )
    let isFinished = false

    expect(await upgrade({ finish: async () => void (isFinished = true) })).toBe('newer')

    expect(await snapshotCatalogue(empty.url)).toEqual(before)
    expect(isFinished).toBe(false)
  })

  it('returns the plan of an upgrade without running the upgrade', async () => {
    expect(await inspectDatabase(empty.url, versionOne())).toBe('fresh')
    await upgrade()
    expect(await inspectDatabase(empty.url, versionOne())).toBe('current')
    await sql.write('migrations/0002_makers.sql', 'create table public.makers ()')
    expect(await inspectDatabase(empty.url, versionOne())).toBe('upgrade')
    expect(await one(`select to_regclass('public.makers')`)).toBe(null)
  })

  it('rolls back all files when the work after the upgrade fails', async () => {
    await expect(upgrade({ finish: failAfterwards })).rejects.toThrow('no seed')

    expect(await one(`select to_regclass('public.lures')`)).toBe(null)
  })
})

describe('concurrent starts', () => {
  it('applies each migration once when three processes start concurrently', async () => {
    await sql.write(
      'migrations/0002_slow.sql',
      'select pg_sleep(0.2); insert into public.lures values (1, 250)',
    )

    const kinds = await Promise.all([1, 2, 3].map(() => upgrade()))

    expect(kinds.toSorted()).toEqual(['current', 'current', 'fresh'])
  })

  it('fails after 5 s when a table is locked, and names the locking process and query', async () => {
    await upgrade()
    await sql.write(
      'migrations/0002_size.sql',
      `do $$ begin assert current_setting('lock_timeout') = '5s'; end $$; alter table public.lures add size int`,
    )
    const buyer = new Client({ connectionString: empty.url, application_name: 'buyer' })
    await buyer.connect()
    await buyer.query('begin')
    await buyer.query('select count(*) from public.lures')
    const { rows } = await buyer.query('select pg_backend_pid() as pid')
    try {
      const message = await refusal()

      expect(message).toContain('0002_size.sql, line 1: canceling statement due to lock timeout')
      expect(message).toContain(`process ${rows[0].pid} "buyer" has held it for`)
      expect(message).toContain('select pg_backend_pid() as pid')
    } finally {
      await buyer.end()
    }
  })
})
