import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { openRest, type TestRest } from '../testing/open-rest.ts'

let rest: TestRest

beforeAll(async () => {
  rest = await openRest({ exposed: ['public', 'кино'] })
  await rest.database.owner.query(SCHEMA)
})
afterAll(() => rest.close())

const SCHEMA = `
  create view public.mirror as table public.directors;
  create or replace view public.mirror as table public.mirror;

  create table hidden.crews (film_id int references public.films, actor_id int references public.actors,
    primary key (film_id, actor_id));
  create table public.sets (id int primary key);
  create table hidden.uses (film_id int references public.films, set_id int references public.sets,
    primary key (film_id, set_id));

  create view public.pairs as select id, director_id as one, director_id as other from public.films;
  create view public.castings as select f.id as film, a.id as actor, a.name
    from public.films f left join public.actors a on a.id = f.id;
  create function public.keep_nothing() returns trigger language plpgsql as 'begin return new; end';
  create trigger keep_nothing instead of insert on public.castings for each row execute function public.keep_nothing();

  create domain public.score as int default 5;
  create domain public.words as tsvector;
  create table public.reviews (id int primary key, score public.score, words public.words);
  create function public.found(public.reviews) returns tsvector language sql stable as 'select $1.words';
  insert into public.reviews values (1, 3, to_tsvector('simple', 'a long film'));

  create schema "кино";
  create table "кино"."фильмы" (id int primary key, "имя" text);
  grant usage on schema "кино" to anon;
  grant all on all tables in schema public, "кино" to anon;`

const asBytes = (text: string) => Buffer.from(text).toString('latin1')
const post = (path: string, body: object, headers: Record<string, string>) =>
  rest.request(path, { method: 'POST', body: JSON.stringify(body), headers })

describe('views', () => {
  it('serves other tables when a view is recursive', async () => {
    expect(await rest.json('/mirror')).toMatchObject({ code: '42P17' })
    expect(await rest.json('/directors?select=id&id=eq.1')).toEqual([{ id: 1 }])
  })

  it('gives a view one relationship per column with a foreign key', async () => {
    expect(await rest.json('/pairs?select=id,directors(name)&id=eq.1')).toMatchObject({ code: 'PGRST201' })
    expect(await rest.json('/pairs?select=id,one(name),other(name)&id=eq.1')).toEqual([
      { id: 1, one: { name: 'Kubrick' }, other: { name: 'Kubrick' } },
    ])
  })

  it('returns the location of a view’s row by the primary keys of all tables', async () => {
    const answer = await post('/castings', { film: 9 }, { Prefer: 'return=headers-only' })

    expect(answer.headers.get('Location')).toBe('/castings?actor=is.null&film=eq.9')
  })
})

describe('many-to-many', () => {
  it('hides many-to-many relations that join through an unexposed table', async () => {
    expect(await rest.json('/films?select=sets(id)')).toMatchObject({ code: 'PGRST200' })
    expect(await rest.json('/films?select=actors(name)&id=eq.1')).toEqual([{ actors: [{ name: 'Dullea' }] }])
  })
})

describe('domains', () => {
  it('fills missing members with the default of a domain type', async () => {
    const Prefer = 'return=representation, missing=default'
    const answer = await post('/reviews?columns=id,score&select=id,score', { id: 2 }, { Prefer })

    expect(await answer.json()).toEqual([{ id: 2, score: 5 }])
  })

  it('searches domains over tsvector and computed vectors directly', async () => {
    expect(await rest.json('/reviews?select=id&words=fts(simple).long')).toEqual([{ id: 1 }])
    expect(await rest.json('/reviews?select=id&found=fts(simple).long')).toEqual([{ id: 1 }])
  })
})

describe('non-ASCII names', () => {
  const profile = { 'Accept-Profile': 'кино', 'Content-Profile': 'кино' }
  const profileBytes = Object.fromEntries(
    Object.entries(profile).map(([name, value]) => [name, asBytes(value)]),
  )

  it('reads and writes non-ASCII names in headers as UTF-8', async () => {
    const path = `/${encodeURIComponent('фильмы')}`
    const headers = { ...profileBytes, Prefer: 'return=headers-only' }
    const made = await post(path, { id: 1, имя: 'Солярис' }, headers)
    expect([made.status, made.headers.get('Location')]).toEqual([201, asBytes('/фильмы?id=eq.1')])

    const read = await rest.request(path, { headers: profileBytes })
    expect(await read.json()).toEqual([{ id: 1, имя: 'Солярис' }])
    expect(read.headers.get('Content-Profile')).toBe(asBytes('кино'))
    expect(read.headers.get('Content-Location')).toBe(asBytes('/фильмы'))
  })
})
