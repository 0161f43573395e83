import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { catalogueDifferences, snapshotCatalogue } from '#backend/testing/catalogue.ts'
import { emptyDatabase, type TestDatabase } from '#backend/testing/database.ts'
import { type SqlFolders, sqlFolders } from './testing/sql-folders.ts'
import { upgradeDatabase } from './upgrade.ts'

const TABLES = `
  create schema private;
  create table public.lures (id int primary key, maker int, price int);
  create table public.makers (id int primary key);
  alter table public.lures enable row level security;`

/** One object of each kind, in an order that PostgreSQL could not create directly. */
const LURE_CODE = `
create policy select_cheap on public.lures for select to anon using (private.is_cheap(price));
create trigger note before update on public.lures for each row execute function private.note();
create constraint trigger check_maker after insert on public.lures deferrable initially deferred
  for each row execute function private.note();
create view public.cheap with (security_invoker = true) as
  select id, price from public.lures where private.is_cheap(price);
create function private.first_cheap() returns public.cheap language sql
  begin atomic select c from public.cheap c limit 1; end;
create function private.is_cheap(price int, most integer default 100) returns boolean language sql as 'select price <= most';
create function private.note() returns trigger language plpgsql as $body$ begin return new; end $body$;
grant select, insert on public.lures to anon, authenticated;
grant select (id) on public.makers to anon;
grant execute on function private.is_cheap(int, int) to anon;
comment on table public.lures is 'What is for sale.';
comment on function private.is_cheap is 'Whether a price is low.' -- the last statement needs no semicolon`

let empty: TestDatabase
let sql: SqlFolders

beforeEach(async () => {
  empty = await emptyDatabase()
  sql = await sqlFolders()
  await sql.write('migrations/0001_lures.sql', TABLES)
})

afterEach(async () => {
  await empty.close()
  await sql.close()
})

function upgrade(version = '1.0.0') {
  return upgradeDatabase(empty.url, {
    sources: [sql.source],
    release: { version, compatibleFrom: '1.0.0' },
  })
}

function refusal(): Promise<string> {
  return upgrade().then(
    (kind) => `no refusal: ${kind}`,
    (error: Error) => error.message,
  )
}

/** Returns the objects that the next upgrade adds, removes and changes. */
async function differencesOfUpgrade(): Promise<string[]> {
  const before = await snapshotCatalogue(empty.url)
  await upgrade()
  const lines = catalogueDifferences(before, await snapshotCatalogue(empty.url))
  return lines.map((line) => line.split(': ', 1)[0] ?? '')
}

async function grantsOf(table: string): Promise<string> {
  const entries = await snapshotCatalogue(empty.url)
  return entries[`table ${table}`]?.split(' | ')[1] ?? ''
}

/** A view and a policy with a condition. */
function users(condition: string): string {
  return `
    create view public.shown_lures as select id from public.lures where ${condition};
    create policy select_shown on public.lures for select using (${condition});`
}

describe('repeatable files', () => {
  it('creates database objects of every type in any file order', async () => {
    await sql.write('schema/lures/code.sql', LURE_CODE)

    await upgrade()

    const keys = Object.keys(await snapshotCatalogue(empty.url)).join('\n')
    expect(keys).toContain('policy select_cheap on public.lures')
    expect(keys).toContain('trigger note on public.lures')
    expect(keys).toContain('trigger check_maker on public.lures')
    expect(keys).toContain('view public.cheap')
    expect(keys).toContain('function private.first_cheap()')
    expect(keys).toContain('comment on function private.is_cheap')
    expect(await grantsOf('public.lures')).toContain('anon=ar/postgres authenticated=ar/postgres')
  })

  it('leaves the schema unchanged when the repeatable files are applied again', async () => {
    await sql.write('schema/lures/code.sql', LURE_CODE)
    await upgrade()

    await sql.write('migrations/0002_none.sql', '-- makes every repeatable file due again')

    expect(await differencesOfUpgrade()).toEqual([])
  })

  it('runs no statement when no repeatable file has changed', async () => {
    await sql.write('schema/lures/code.sql', LURE_CODE)
    await upgrade()

    expect(await upgrade()).toBe('current')
  })

  it('removes every database object that the repeatable files no longer define', async () => {
    await upgrade()
    const before = await snapshotCatalogue(empty.url)
    await sql.write('schema/lures/code.sql', LURE_CODE)
    await upgrade()
    await sql.remove('schema/lures/code.sql')

    await upgrade()

    expect(catalogueDifferences(before, await snapshotCatalogue(empty.url))).toEqual([])
  })

  it('replaces only the changed functions, views, triggers and policies', async () => {
    await sql.write('schema/lures/code.sql', LURE_CODE)
    await upgrade()

    await sql.write(
      'schema/lures/code.sql',
      LURE_CODE.replace('price <= most', 'price < most')
        .replace('before update', 'before insert')
        .replace('select id, price from', 'select id, price, maker from')
        .replace('to anon using', 'to authenticated using')
        .replace('deferrable initially deferred', 'deferrable'),
    )

    const changed = new Set((await differencesOfUpgrade()).map((line) => line.slice(2)))
    expect([...changed].toSorted()).toEqual([
      'column public.cheap.maker',
      'function private.is_cheap(integer,integer)',
      'policy select_cheap on public.lures',
      'trigger check_maker on public.lures',
      'trigger note on public.lures',
      'view public.cheap',
    ])
  })

  it('revokes a privilege that no grant names any more', async () => {
    await sql.write('schema/lures/rights.sql', 'grant select, insert on public.lures to anon, authenticated;')
    await upgrade()

    await sql.write('schema/lures/rights.sql', 'grant select, insert on public.lures to anon;')
    await upgrade()
    expect(await grantsOf('public.lures')).not.toContain('authenticated')

    await sql.write('schema/lures/rights.sql', 'grant select on public.lures to anon;')
    await upgrade()
    expect(await grantsOf('public.lures')).toContain('anon=r/')
  })

  it('keeps column privileges when the table privilege is removed', async () => {
    await sql.write('schema/lures/columns.sql', 'grant select (id) on public.lures to anon;')
    await sql.write('schema/lures/rights.sql', 'grant select on public.lures to anon;')
    await upgrade()

    await sql.remove('schema/lures/rights.sql')
    await upgrade()

    const entries = await snapshotCatalogue(empty.url)
    expect(entries['column public.lures.id']).toContain('anon=r/')
    expect(entries['table public.lures']).not.toContain('anon')
  })

  it('revokes and restores PostgreSQL’s default right of everyone to execute a function', async () => {
    const price = `create function public.price() returns int language sql as 'select 1';`
    await sql.write(
      'schema/lures/price.sql',
      `${price} revoke execute on function public.price() from public;`,
    )
    await upgrade()
    expect((await snapshotCatalogue(empty.url))['function public.price()']).not.toContain(' =X')

    await sql.write('schema/lures/price.sql', price)
    await upgrade()
    expect((await snapshotCatalogue(empty.url))['function public.price()']).toContain(' =X')
  })

  it('requests a DROP in a versioned file when a constraint trigger becomes a plain trigger', async () => {
    await sql.write('schema/lures/code.sql', LURE_CODE)
    await upgrade()
    await sql.write(
      'schema/lures/code.sql',
      LURE_CODE.replace('create constraint trigger', 'create trigger').replace(
        'deferrable initially deferred',
        '',
      ),
    )

    expect(await refusal()).toContain(
      'is a constraint trigger; to change it, add "drop trigger if exists check_maker on public.lures" to a new versioned file',
    )
  })

  it('does not drop an object whose definition moves to another file', async () => {
    await sql.write('schema/lures/code.sql', LURE_CODE)
    await upgrade()

    await sql.remove('schema/lures/code.sql')
    await sql.write('schema/range/all.sql', LURE_CODE)

    expect(await differencesOfUpgrade()).toEqual([])
  })

  it('does not drop a function whose definition moves to a versioned file', async () => {
    const tag = `create or replace function private.tag(text) returns text immutable language sql as 'select lower($1)';`
    await sql.write('schema/lures/tag.sql', tag)
    await upgrade()

    await sql.remove('schema/lures/tag.sql')
    await sql.write('migrations/0002_tag.sql', `${tag} create index on public.lures (private.tag(id::text));`)
    await upgrade()

    expect(Object.keys(await snapshotCatalogue(empty.url))).toContain('function private.tag(text)')
  })

  it('drops a function together with the policy and view that used the function', async () => {
    const used = `create function private.shown(int) returns boolean language sql as 'select true';`
    await sql.write('schema/lures/shown.sql', used + users('private.shown(id)'))
    await upgrade()

    await sql.write('schema/lures/shown.sql', users('id > 0'))
    await upgrade()

    expect(Object.keys(await snapshotCatalogue(empty.url))).not.toContain('function private.shown(integer)')
  })

  it('refuses to remove a function that another object uses, and names the object', async () => {
    await sql.write(
      'schema/lures/shown.sql',
      `create function private.shown(int) returns boolean immutable language sql as 'select true';`,
    )
    await upgrade()
    await empty.database.owner.query('create index by_hand on public.lures (private.shown(id))')

    await sql.remove('schema/lures/shown.sql')

    expect(await refusal()).toBe(
      'function private.shown(int4) is no longer defined but cannot be dropped: index by_hand depends on function private.shown(integer)',
    )
  })

  it.each([
    ['another result', 'create function private.f(a int) returns text'],
    ['another parameter name', 'create function private.f(b int) returns int'],
  ])('requests a DROP in a versioned file when a function gets %s', async (_, head) => {
    const body = ` language sql as 'select null::int';`
    await sql.write('schema/lures/f.sql', `create function private.f(a int) returns int${body}`)
    await sql.write(
      'schema/lures/g.sql',
      `create function private.g() returns int language sql as 'select 2';`,
    )
    await upgrade()
    await sql.write('schema/lures/f.sql', `\n\n${head}${body}`)

    expect(await refusal()).toMatch(
      /^lures\/f\.sql, line 3: cannot change .*; to change it, add "drop function if exists private\.f\(pg_catalog\.int4\)" to a new versioned file$/,
    )

    await sql.write('migrations/0002_f.sql', 'drop function private.f(int); drop function private.g();')
    expect(await upgrade()).toBe('upgrade')
    const keys = Object.keys(await snapshotCatalogue(empty.url))
    expect(keys).toContain('function private.f(integer)')
    expect(keys).toContain('function private.g()')
  })

  it('replaces a function that gets a new parameter instead of keeping both versions', async () => {
    await sql.write(
      'schema/lures/f.sql',
      `create function private.f(a int) returns int language sql as 'select a';
      create view public.ones as select private.f(1) as one;`,
    )
    await upgrade()
    await sql.write(
      'schema/lures/f.sql',
      `create function private.f(a int, b int default 2) returns int language sql as 'select a';
      create view public.ones as select private.f(1, 1) as one;`,
    )

    await upgrade()

    const keys = Object.keys(await snapshotCatalogue(empty.url)).filter((key) =>
      key.startsWith('function private.f'),
    )
    expect(keys).toEqual(['function private.f(integer,integer)'])
  })
})

describe('contents of a repeatable file', () => {
  it.each([
    ['create table public.boxes ();', 'not "create table"'],
    ['alter table public.lures disable row level security;', 'not "alter table"'],
    ['insert into public.lures values (1);', 'not "insert into"'],
    ['do $$ begin end $$;', 'not "do $$"'],
    ['drop function private.f();', 'not "drop function"'],
    ['create materialized view public.m as select 1;', 'not "create materialized"'],
    ['create function f() returns int language sql as $$ select 1 $$;', 'qualify the name with its schema'],
    ['create policy p on lures using (true);', 'qualify the name with its schema'],
    ['grant select on lures to anon;', 'qualify the name with its schema'],
    ['grant select on all tables in schema public to anon;', 'name each object'],
    ['grant anon to authenticated;', 'not "grant anon"'],
    ['revoke select on public.lures from anon;', 'for other roles, remove the grant'],
  ])('refuses the statement "%s" in a repeatable file with file and line', async (statement, reason) => {
    await sql.write('schema/lures/code.sql', `-- A comment; with a semicolon.\n\n${statement}`)

    const message = await refusal()

    expect(message).toContain('lures/code.sql, line 3: ')
    expect(message).toContain(reason)
  })

  it.each([
    [
      'create function private.f(a int, b text default null) returns int language sql as $$ select 1 $$;',
      'function',
    ],
    ['create policy select_cheap on public.lures using (true);', 'policy'],
    [
      'create trigger note before insert on public.lures for each row execute function private.note();',
      'trigger',
    ],
    ['create view public.cheap as select 1 as id;', 'view'],
    ['grant insert on public.lures to anon;', 'grant'],
    [`comment on table   public.lures is 'Twice.';`, 'comment'],
  ])('refuses a second definition in repeatable files: %s', async (statement) => {
    await sql.write(
      'schema/a/one.sql',
      `${LURE_CODE}\n; create function private.f("first" integer, text) returns int language sql as 'select 1';`,
    )
    await sql.write('schema/b/two.sql', statement)

    expect(await refusal()).toMatch(/^b\/two\.sql, line 1: .* is defined already, in a\/one\.sql, line \d+$/)
  })

  it('refuses a function that a versioned file defines and no later file drops', async () => {
    await sql.write(
      'migrations/0002_f.sql',
      `create function private.f() returns int language sql as 'select 1';`,
    )
    await sql.write(
      'schema/lures/f.sql',
      `create function private.f() returns int language sql as 'select 2';`,
    )
    expect(await refusal()).toBe(
      'lures/f.sql, line 1: function private.f() is defined already, in 0002_f.sql, line 1',
    )

    await sql.write('migrations/0003_f.sql', 'drop function private.f();')
    expect(await upgrade()).toBe('fresh')
  })

  it('refuses a repeatable file outside of a subject folder', async () => {
    await sql.write('schema/loose.sql', '')

    expect(await refusal()).toContain('loose.sql: a repeatable file must be in a subject folder')
  })
})
