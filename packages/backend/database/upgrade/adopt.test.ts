import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DatabaseProblem } from '#backend/database/database-problem.ts'
import { catalogueDifferences, snapshotCatalogue } from '#backend/testing/catalogue.ts'
import { emptyDatabase, type TestDatabase } from '#backend/testing/database.ts'
import { type SqlFolders, sqlFolders } from './testing/sql-folders.ts'
import { upgradeDatabase } from './upgrade.ts'

/** The last schema before 1.0: a table with its former name, and code without a definition in the files. */
const BEFORE = `
  create schema private;
  create function private.plain(value text) returns text immutable language sql as 'select lower(value)';
  create table public.lure (id int primary key, name text check (private.plain(name) <> ''));
  create index lure_name on public.lure (private.plain(name));
  comment on column public.lure.name is 'An old comment.';
  alter table public.lure enable row level security;
  create type private.need as (id int);
  create function private.is_cheap(wrong_name int) returns text language sql as 'select null::text';
  create function private.gone() returns trigger language plpgsql as 'begin return new; end';
  create trigger gone before insert on public.lure for each row execute function private.gone();
  create function private.watch() returns trigger language plpgsql as 'begin return null; end';
  create trigger made_at_run_time after insert on public.lure for each statement execute function private.watch();
  create policy old_policy on public.lure for select using (private.is_cheap(id) is null);
  create view public.gone_view as select id from public.lure;
  grant all on public.lure to anon, service_role;
  grant update (name) on public.lure to authenticated;
  grant execute on function private.plain(text) to anon;
  insert into public.lure values (1, 'Ghost');
  create schema supabase_migrations;
  create table supabase_migrations.schema_migrations (version text primary key, statements text[], name text);
  insert into supabase_migrations.schema_migrations values ('20261121', null, 'lures'), ('20261122', null, 'rights')`

const BASELINE = `
  create schema private;
  create function private.folded(value text) returns text immutable language sql as 'select lower( value )';
  create table public.lures (id int primary key, name text check (private.folded(name) <> ''));
  create index lures_name on public.lures (private.folded(name));
  alter table public.lures enable row level security;
  create type private.need as (id int);
  grant usage on schema private to anon;`

const ADOPTION = `
  grant usage on schema private to anon;
  alter function private.plain(text) rename to folded;
  alter table public.lure rename to lures;
  alter table public.lures rename constraint lure_pkey to lures_pkey;
  alter table public.lures rename constraint lure_name_check to lures_name_check;
  alter index public.lure_name rename to lures_name;`

const CODE = `
  create function private.is_cheap(price int) returns boolean language sql as 'select true';
  create function private.watch() returns trigger language plpgsql as 'begin return null; end';
  create policy select_own on public.lures for select using (private.is_cheap(id));
  grant select on public.lures to anon;
  comment on table public.lures is 'What is for sale.';`

let adopted: TestDatabase
let fresh: TestDatabase
let sql: SqlFolders

beforeEach(async () => {
  adopted = await emptyDatabase()
  fresh = await emptyDatabase()
  sql = await sqlFolders({ isDynamicTrigger: (name) => name === 'made_at_run_time' })
  await sql.write('migrations/0001_lures.sql', BASELINE)
  await sql.write('migrations/0002_after.sql', 'alter table public.lures add price int')
  await sql.write('migrations/adopt-1.0.sql', ADOPTION)
  await sql.write(
    'migrations/before-1.0.json',
    JSON.stringify({ baseline: '0001', versions: ['20261121', '20261122'] }),
  )
  await sql.write('schema/lures/code.sql', CODE)
  await adopted.database.owner.query(BEFORE)
})

afterEach(async () => {
  await adopted.close()
  await fresh.close()
  await sql.close()
})

function upgrade(at: TestDatabase) {
  return upgradeDatabase(at.url, {
    sources: [sql.source],
    release: { version: '1.0.0', compatibleFrom: '1.0.0' },
  })
}

describe('a database with the last schema before 1.0', () => {
  it('brings an adopted database to the schema of a fresh database and keeps all rows', async () => {
    expect(await upgrade(adopted)).toBe('adopt')
    await upgrade(fresh)

    const differences = catalogueDifferences(
      await snapshotCatalogue(fresh.url),
      await snapshotCatalogue(adopted.url),
    )
    expect(differences).toEqual([expect.stringContaining('+ trigger made_at_run_time on public.lures')])
    const { rows } = await adopted.database.owner.query('select id, name, price from public.lures')
    expect(rows).toEqual([{ id: 1, name: 'Ghost', price: null }])
  })

  it('records the files of 1.0 as applied instead of the earlier migrations', async () => {
    await upgrade(adopted)

    const { rows } = await adopted.database.owner.query(
      'select version, name from supabase_migrations.schema_migrations order by version',
    )
    expect(rows).toEqual([
      { version: '0001', name: 'lures' },
      { version: '0002', name: 'after' },
    ])
    expect(await upgrade(adopted)).toBe('current')
  })

  it('leaves a database before 1.0 unchanged when the adoption fails', async () => {
    await sql.write('migrations/adopt-1.0.sql', `${ADOPTION}\nselect 1 / 0;`)
    const before = await snapshotCatalogue(adopted.url)

    await expect(upgrade(adopted)).rejects.toThrow('adopt-1.0.sql, line 8: division by zero')

    expect(await snapshotCatalogue(adopted.url)).toEqual(before)
  })

  it('refuses to adopt a database that uses a function without a definition', async () => {
    await adopted.database.owner.query(`
      create function private.unknown(int) returns int immutable language sql as 'select 1';
      create index by_hand on public.lure (private.unknown(id))`)

    await expect(upgrade(adopted)).rejects.toThrow(
      'function private.unknown(integer) is in use, but no file defines it',
    )
  })
})

describe('an older database', () => {
  it.each([
    ['lacks a migration', `delete from supabase_migrations.schema_migrations where version = '20261122'`],
    ['has an unknown migration', `insert into supabase_migrations.schema_migrations values ('20261120')`],
    [
      'has another migration in the place of an expected one',
      `update supabase_migrations.schema_migrations set version = '20261120' where name = 'lures'`,
    ],
  ])('refuses a database older than the last schema before 1.0 when the database %s', async (_, change) => {
    await adopted.database.owner.query(change)
    const before = await snapshotCatalogue(adopted.url)

    const refusal = await upgrade(adopted).catch((error: unknown) => error)

    expect(refusal).toBeInstanceOf(DatabaseProblem)
    expect(String(refusal)).toMatch(/start the last version before 1\.0 on it first$/)
    expect(await snapshotCatalogue(adopted.url)).toEqual(before)
    const { rows } = await adopted.database.owner.query(
      `select to_regclass('supabase_migrations.releases') as made`,
    )
    expect(rows).toEqual([{ made: null }])
  })

  it('refuses a database in which the backend recorded another schema hash', async () => {
    sql.source.records = 'backend_migrations'
    await sql.write('migrations/before-1.0.json', JSON.stringify({ baseline: '0001', bootstrap: ['known'] }))
    const record = (hash: string, day: number) =>
      adopted.database.owner.query(
        `insert into supabase_migrations.bootstrap_versions values ($1, make_date(2026, 11, $2))`,
        [hash, day],
      )
    await adopted.database.owner.query(
      'create table supabase_migrations.bootstrap_versions (version text, applied_at timestamptz)',
    )
    await record('known', 1)
    await record('other', 2)
    await expect(upgrade(adopted)).rejects.toThrow('start the last version before 1.0 on it first')

    await record('known', 3)
    expect(await upgrade(adopted)).toBe('adopt')
  })
})
