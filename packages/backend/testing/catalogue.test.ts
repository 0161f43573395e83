import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { catalogueDifferences, snapshotCatalogue } from './catalogue.ts'
import { bareDatabase, type TestDatabase } from './database.ts'

const TACKLE = `
  create type size as enum ('small', 'large');
  create domain rand as numeric(10, 2) check (value >= 0);
  create table makers (id int primary key);
  create table lures (id int generated always as identity primary key, maker int references makers, price rand, size size);
  create index lures_price_idx on lures (price);
  create view cheap with (security_invoker = true) as select id from lures where price < 100;
  create function dearest() returns int language sql as 'select max(price)::int from lures';
  create function note() returns trigger language plpgsql as 'begin return new; end';
  create trigger note before update on lures for each row execute function note();
  create policy select_own on lures for select to authenticated using (id = 1);
  create sequence numbers;
  comment on table lures is 'What is for sale.'`

/** One statement for each definition that an upgrade could lose, and the entries that it must change. */
const CHANGES: [change: string, entries: string[]][] = [
  ['alter table lures enable row level security', ['table public.lures']],
  ['alter table lures set (fillfactor = 50)', ['table public.lures']],
  ['alter table lures owner to authenticated', ['sequence public.lures_id_seq', 'table public.lures']],
  ['grant select on lures to anon', ['table public.lures']],
  ['grant select (price) on lures to anon', ['column public.lures.price']],
  ['alter table lures alter price set default 5', ['column public.lures.price']],
  ['alter table lures alter price set not null', ['column public.lures.price']],
  ['alter table lures alter price set statistics 500', ['column public.lures.price']],
  ['alter table lures add colour text', ['column public.lures.colour', 'table public.lures']],
  [
    `alter table lures drop constraint lures_maker_fkey, add constraint lures_maker_fkey foreign key (maker) references makers on delete cascade`,
    ['constraint lures_maker_fkey on public.lures'],
  ],
  [
    'drop index lures_price_idx; create index lures_price_idx on lures (price desc)',
    ['index public.lures_price_idx'],
  ],
  ['alter view cheap set (security_invoker = false)', ['view public.cheap']],
  [
    `create or replace function dearest() returns int language sql as 'select 1'`,
    ['function public.dearest()'],
  ],
  [`alter function dearest() set search_path = ''`, ['function public.dearest()']],
  ['revoke execute on function dearest() from public', ['function public.dearest()']],
  ['alter table lures disable trigger note', ['trigger note on public.lures']],
  ['alter policy select_own on lures using (true)', ['policy select_own on public.lures']],
  ['alter policy select_own on lures to anon', ['policy select_own on public.lures']],
  [`alter type size add value 'huge'`, ['type public.size']],
  ['alter domain rand drop constraint rand_check', ['constraint rand_check on public.rand']],
  ['alter sequence numbers increment 2', ['sequence public.numbers']],
  [`comment on table lures is 'Lures.'`, ['comment on table public.lures']],
  ['alter publication supabase_realtime add table lures', ['publication supabase_realtime']],
  [
    'alter default privileges in schema public grant select on tables to anon',
    ['default privileges of supabase_admin on r in public'],
  ],
  ['create schema tackle', ['schema tackle']],
]

let bare: TestDatabase
/** Of the database as the last statement left it: a snapshot costs more than all statements. */
let known: Record<string, string> | undefined

beforeAll(async () => {
  bare = await bareDatabase()
  await bare.database.owner.query(TACKLE)
})

afterAll(() => bare.close())

describe('snapshotCatalogue', () => {
  it.each(CHANGES)('finds a schema difference after "%s"', async (change, entries) => {
    const before = known ?? (await snapshotCatalogue(bare.url))
    known = undefined
    await asSuperuser(change)
    const after = await snapshotCatalogue(bare.url)
    known = after

    const changed = catalogueDifferences(before, after).map((line) => /^[-+] (.*?): /.exec(line)?.[1])
    expect([...new Set(changed)]).toEqual(entries)
  })

  it('reads the same schema when grants are made in another order', async () => {
    known = undefined
    await bare.database.owner.query('grant select on makers to anon; grant select on makers to authenticated')
    const before = await snapshotCatalogue(bare.url)
    await bare.database.owner.query('revoke select on makers from anon; grant select on makers to anon')

    expect(catalogueDifferences(before, await snapshotCatalogue(bare.url))).toEqual([])
  })
})

async function asSuperuser(statement: string): Promise<void> {
  const client = new Client({ connectionString: bare.superuserUrl })
  await client.connect()
  await client.query(statement).finally(() => client.end())
}
