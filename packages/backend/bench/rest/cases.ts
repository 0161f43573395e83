import { Hono, type Context } from 'hono'

import type { Statement } from '#backend/database/pipeline.ts'
import { openDatabase } from '#backend/database/pool.ts'
import { becomeCaller, visitor } from '#backend/http/caller.ts'
import type { RestSettings } from '#backend/rest/operations/operation.ts'
import { planFor, readRequest, type Target } from '#backend/rest/read-request.ts'
import { SchemaCache } from '#backend/rest/schema/cache.ts'

export const PUBLISHABLE_KEY = 'sb_publishable_of_the_rest_bench'

/** 10 000 films of 100 directors, which visitors may read by a policy. */
export const SCHEMA = `
  create table directors (id int primary key, name text not null);
  create table films (id int primary key, title text not null, director_id int not null references directors, price numeric(10, 2));
  create index on films (director_id);
  create table visits (id bigint generated always as identity primary key, page text not null, at timestamptz not null default now());
  create function film_price(film int) returns numeric language sql stable as $$ select price from public.films where id = film $$;
  insert into directors select n, 'Director ' || n from generate_series(1, 100) n;
  insert into films select n, 'Film ' || n, 1 + n % 100, n from generate_series(1, 10000) n;
  alter table films enable row level security;
  create policy select_all on films for select to anon using (true);
  grant usage on schema public to anon;
  grant select on films, directors to anon;
  grant select, insert on visits to anon;
  grant execute on function film_price to anon;
  analyze;`

export interface Case {
  name: string
  method: 'GET' | 'POST'
  path: (film: number) => string
  target: Target
  body?: string
  prefer?: string
}

export const CASES: Case[] = [
  {
    name: 'select by key',
    method: 'GET',
    path: (film) => `/films?select=*&id=eq.${film}`,
    target: { kind: 'relation', name: 'films' },
  },
  {
    name: '50 rows, one embed',
    method: 'GET',
    path: (film) =>
      `/films?select=id,title,price,directors(id,name)&id=gt.${film}&id=lte.${film + 50}&order=id&limit=50`,
    target: { kind: 'relation', name: 'films' },
  },
  {
    name: 'insert returning',
    method: 'POST',
    path: () => '/visits?columns="page"&select=*',
    target: { kind: 'relation', name: 'visits' },
    body: '[{"page":"/products"}]',
    prefer: 'return=representation',
  },
  {
    name: 'rpc',
    method: 'POST',
    path: () => '/rpc/film_price',
    target: { kind: 'function', name: 'film_price' },
    body: '{"film":42}',
  },
]

/** Returns a random film id with at least fifty films after it. */
export function anyFilm(): number {
  return 1 + Math.floor(Math.random() * 9_950)
}

export interface CaseSql {
  /** Sets role and settings of a visitor's transaction, as many as a request of the benchmark does. */
  setRole: Statement
  /** The main statement for a film. */
  statementFor: (film: number) => Statement
}

/** Returns the SQL of a case, planned by the code under test. */
export async function sqlOf({ method, path, target, body, prefer }: Case, url: string): Promise<CaseSql> {
  const settings: RestSettings = {
    exposed: ['public'],
    maxRows: 1000,
    allowsRollback: false,
    privileged: null,
  }
  const limits = { bodyBytes: 2 ** 20, urlCharacters: 2 ** 15, patternCharacters: Number.POSITIVE_INFINITY }
  const database = openDatabase(url)
  const schema = await new SchemaCache(database, {
    exposed: ['public'],
    searchPath: ['public'],
    onError: console.error,
  }).reload()
  await database.close()

  const headers = { 'Content-Type': 'application/json', ...(prefer && { Prefer: prefer }) }
  const planned = async (film: number): Promise<Statement> => {
    let statement: Statement | undefined
    const app = new Hono().all('*', async (c: Context) => {
      const request = await readRequest(c, { target, caller: visitor, settings, limits })
      statement = planFor(method, target)(request, schema, settings).statements[0]
      return c.body(null)
    })
    await app.request(`http://bench${path(film)}`, { method, headers, ...(body && { body }) })
    if (!statement) throw new Error('The request produced no statement')
    return statement
  }
  const [one, other] = [await planned(1), await planned(1_000)]
  return {
    setRole: becomeCaller(visitor, {
      isReadOnly: method === 'GET',
      settings: {
        search_path: '"public", "extensions"',
        ...schema.roleSettings.get('anon'),
        'request.method': method,
        'request.path': `/${target.name}`,
        'request.headers': JSON.stringify({ host: 'bench', apikey: PUBLISHABLE_KEY, ...headers }),
        'request.cookies': '{}',
      },
    }),
    // Values that differ between two films depend on the film.
    statementFor: (film) => ({
      text: one.text,
      values: one.values.map((value, index) =>
        value === other.values[index] ? value : String(Number(value) + film - 1),
      ),
    }),
  }
}
