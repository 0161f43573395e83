import type { SupabaseClient } from '@supabase/supabase-js'
import { postgresChangesFilter } from '@supabase/supabase-js'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import {
  eventually,
  KEYS,
  openRealtime,
  tokenWithClaims,
  watch,
  type TestRealtime,
} from '#backend/realtime/testing/open-realtime.ts'

const SCHEMA = `
  create table public.notes (
    id bigint generated always as identity primary key,
    owner uuid, title text, rank int, price numeric(10, 2), tags text[], facts jsonb, at timestamptz, secret text
  );
  alter table public.notes enable row level security;
  create policy select_own on public.notes for select to authenticated using (owner = auth.uid());
  create policy select_open on public.notes for select to anon using (owner is null);
  grant select (id, owner, title, rank, price, tags, facts, at) on public.notes to authenticated, anon;
  grant select on public.notes to service_role;

  create table public.news (id int primary key, title text, body text);
  grant select on public.news to anon, authenticated;
  create table public.plain (title text);
  grant select on public.plain to anon;
  create table public.staff_only (id int primary key);
  create table public.unpublished (id int primary key);
  grant select on public.unpublished to anon;
  alter publication supabase_realtime add table public.notes, public.news, public.plain, public.staff_only;`

const ME = '00000000-0000-4000-8000-000000000001'
const OTHER = '00000000-0000-4000-8000-000000000002'
const NOTES = { event: '*', schema: 'public', table: 'notes' }

let test: TestRealtime

beforeAll(async () => {
  test = await openRealtime(SCHEMA)
})
afterAll(() => test.close())
afterEach(async () => {
  test.leave()
  await test.sql('truncate public.notes, public.news, public.plain')
  expect(test.logged).toEqual([])
})

function open(claims?: object, options?: { vsn?: string; key?: string }): SupabaseClient {
  return test.server.client(claims, options)
}

async function watching(client: SupabaseClient, ...filters: object[]) {
  // Without this, the client would join without its token.
  await client.realtime.setAuth()
  const received = watch(client.channel(`room-${crypto.randomUUID()}`), ...filters)
  await eventually(() => expect(received.system.map(({ status }) => status)).toEqual(['ok']))
  return received
}

const titles = (received: { changes: { new: Record<string, unknown> }[] }) =>
  received.changes.map((change) => change.new.title)

describe.each(['1.0.0', '2.0.0'])('protocol %s', (vsn) => {
  it('confirms a subscription and delivers inserts, updates and deletes', async () => {
    const received = await watching(open({ sub: ME }, { vsn }), NOTES)
    expect(received.statuses).toEqual(['SUBSCRIBED'])
    expect(received.system[0]).toMatchObject({
      extension: 'postgres_changes',
      message: 'Subscribed to PostgreSQL',
    })

    const before = Date.now()
    await test.sql(`insert into public.notes (owner, title, rank) values ($1, 'one', 1)`, [ME])
    await eventually(() => expect(received.changes).toHaveLength(1))
    const after = Date.now()
    await test.sql(`update public.notes set title = 'two'`)
    await eventually(() => expect(received.changes).toHaveLength(2))
    await test.sql('delete from public.notes')
    await eventually(() => expect(received.changes).toHaveLength(3))

    const [inserted, updated, deleted] = received.changes
    const { id } = inserted?.new ?? {}
    expect(inserted).toMatchObject({
      eventType: 'INSERT',
      table: 'notes',
      schema: 'public',
      old: {},
      errors: null,
    })
    expect(inserted?.new).toMatchObject({ owner: ME, title: 'one', rank: 1 })
    expect(updated).toMatchObject({ eventType: 'UPDATE', new: { id, title: 'two' }, old: { id } })
    expect(deleted).toMatchObject({ eventType: 'DELETE', new: {}, old: { id } })
    const committed = Date.parse(inserted?.commit_timestamp ?? '')
    expect(committed).toBeGreaterThanOrEqual(before)
    expect(committed).toBeLessThanOrEqual(after)
  })
})

describe('values', () => {
  it('delivers changed values with the client’s type names', async () => {
    const received = await watching(open({ sub: ME }), NOTES)

    await test.sql(
      `insert into public.notes (owner, title, rank, price, tags, facts, at)
       values ($1, E'quo"te\\n☃', null, 1.10, '{a,"b,c"}', '{"a":[1,null]}', '2026-01-02 03:04:05.678+02')`,
      [ME],
    )

    await eventually(() => expect(received.changes).toHaveLength(1))
    expect(received.changes[0]?.new).toMatchObject({
      title: 'quo"te\n☃',
      rank: null,
      price: 1.1,
      tags: ['a', 'b,c'],
      facts: { a: [1, null] },
      at: '2026-01-02T01:04:05.678+00:00',
    })
  })

  it('never delivers columns that the subscriber’s role may not read', async () => {
    const mine = await watching(open({ sub: ME }), NOTES)
    const service = await watching(open(undefined, { key: KEYS.secret }), NOTES)

    await test.sql(`insert into public.notes (owner, title, secret) values ($1, 'one', 'hidden')`, [ME])

    await eventually(() => expect([mine.changes.length, service.changes.length]).toEqual([1, 1]))
    expect(mine.changes[0]?.new).not.toHaveProperty('secret')
    expect(service.changes[0]?.new).toMatchObject({ secret: 'hidden' })
  })

  it('delivers the values of each change when two changes follow at once', async () => {
    const received = await watching(open({ sub: ME }), NOTES)

    await test.sql(
      `insert into public.notes (owner, title) values ('${ME}', 'first'); update public.notes set title = 'second'`,
    )

    await eventually(() => expect(titles(received)).toEqual(['first', 'second']))
  })

  it('delivers the selected columns together with the primary key', async () => {
    const received = await watching(open({ sub: ME }), { ...NOTES, select: ['title'] })

    await test.sql(`insert into public.notes (owner, title, rank) values ($1, 'one', 1)`, [ME])

    await eventually(() => expect(received.changes).toHaveLength(1))
    expect(Object.keys(received.changes[0]?.new ?? {})).toEqual(['id', 'title'])
  })

  it('omits the values of a changed row above one megabyte and reports an error', async () => {
    const received = await watching(open(), { event: '*', schema: 'public', table: 'news' })

    await test.sql(`insert into public.news values (7, 'long', repeat('x', 1100000))`)

    await eventually(() => expect(received.changes).toHaveLength(1))
    expect(received.changes[0]).toMatchObject({
      errors: ['Error 413: Payload Too Large'],
      new: { id: 7, title: 'long' },
    })
    expect(received.changes[0]?.new).not.toHaveProperty('body')
  })

  it('delivers the whole old row with replica identity full, but only the key under policies', async () => {
    await test.sql(`create table public.whole (id int primary key, owner uuid, title text);
      alter table public.whole replica identity full; grant select on public.whole to authenticated;
      alter publication supabase_realtime add table public.whole`)
    const received = await watching(open({ sub: ME }), { ...NOTES, table: 'whole' })

    await test.sql(`insert into public.whole values (1, '${ME}', 'a'); update public.whole set title = 'b';
      delete from public.whole`)
    await eventually(() => expect(received.changes).toHaveLength(3))
    await test.sql(`alter table public.whole enable row level security`)
    await test.sql(`insert into public.whole values (2, '${ME}', 'a'); delete from public.whole`)

    await eventually(() => expect(received.changes).toHaveLength(4))
    expect(received.changes.map(({ old }) => old)).toEqual([
      {},
      { id: 1, owner: ME, title: 'a' },
      { id: 1, owner: ME, title: 'b' },
      { id: 2 },
    ])
  })
})

describe('visibility', () => {
  it('delivers to each subscriber only the rows that the policies allow', async () => {
    const [mine, others, visitor, service] = await Promise.all([
      watching(open({ sub: ME }), NOTES),
      watching(open({ sub: OTHER }), NOTES),
      watching(open(), NOTES),
      watching(open(undefined, { key: KEYS.secret }), NOTES),
    ])

    await test.sql(
      `insert into public.notes (owner, title) values ($1, 'mine'), ($2, 'other'), (null, 'open')`,
      [ME, OTHER],
    )

    await eventually(() => expect(titles(service)).toEqual(['mine', 'other', 'open']))
    expect([titles(mine), titles(others), titles(visitor)]).toEqual([['mine'], ['other'], ['open']])
  })

  it('does not deliver a change when the row was deleted or hidden meanwhile', async () => {
    const received = await watching(open({ sub: ME }), { ...NOTES, event: 'INSERT' })

    await test.sql(`begin; insert into public.notes (owner, title) values ('${ME}', 'brief'); delete from public.notes; commit;
      insert into public.notes (owner, title) values ('${ME}', 'lasting')`)

    await eventually(() => expect(titles(received)).toEqual(['lasting']))
  })

  it('applies the policies of the new access token after a refresh', async () => {
    const client = open({ sub: ME })
    const received = await watching(client, NOTES)

    client.realtime.accessToken = async () => tokenWithClaims({ sub: OTHER })
    await client.realtime.setAuth()
    await eventually(async () => {
      await test.sql(`insert into public.notes (owner, title) values ($1, 'other')`, [OTHER])
      expect(titles(received)).toContain('other')
    })
    await test.sql(`insert into public.notes (owner, title) values ($1, 'mine'), ($2, 'last')`, [ME, OTHER])

    await eventually(() => expect(titles(received)).toContain('last'))
    expect(titles(received)).not.toContain('mine')
  })

  it('delivers no more changes of a table to a role that has lost its read access', async () => {
    const visitor = await watching(open(), { event: '*', schema: 'public', table: 'news' })
    const customer = await watching(open({ sub: ME }), { event: '*', schema: 'public', table: 'news' })

    await test.sql('revoke select on public.news from anon')
    await test.sql(`insert into public.news values (1, 'internal', 'x')`)
    await eventually(() => expect(titles(customer)).toEqual(['internal']))
    await test.sql('grant select on public.news to anon')
    await test.sql(`insert into public.news values (2, 'open', 'x')`)

    await eventually(() => expect(visitor.changes.at(-1)?.new).toMatchObject({ title: 'open' }))
    expect(visitor.changes).toHaveLength(1)
  })

  it('delivers no change of a rolled-back transaction', async () => {
    const received = await watching(open({ sub: ME }), NOTES)

    await test.sql(`begin; insert into public.notes (owner, title) values ('${ME}', 'undone'); rollback;
      insert into public.notes (owner, title) values ('${ME}', 'done')`)

    await eventually(() => expect(titles(received)).toEqual(['done']))
  })
})

describe('filters', () => {
  const seed = `insert into public.notes (owner, title, rank) values
    ('${ME}', 'Tiger', 1), ('${ME}', 'tuna, blue', 2), ('${ME}', null, 3), ('${ME}', 'Marlin (big)', null)`
  const f = postgresChangesFilter

  it.each([
    ['rank=eq.2', ['tuna, blue']],
    ['rank=neq.2', ['Tiger', null]],
    ['rank=lt.2', ['Tiger']],
    ['rank=lte.2', ['Tiger', 'tuna, blue']],
    ['rank=gt.2', [null]],
    ['rank=gte.2', ['tuna, blue', null]],
    ['rank=in.(1,3,99)', ['Tiger', null]],
    ['rank=not.in.(1,3)', ['tuna, blue']],
    ['title=like.T%', ['Tiger']],
    ['title=ilike.t%', ['Tiger', 'tuna, blue']],
    ['title=match.^T', ['Tiger']],
    ['title=imatch.^t', ['Tiger', 'tuna, blue']],
    ['title=is.null', [null]],
    ['title=not.is.null', ['Tiger', 'tuna, blue', 'Marlin (big)']],
    ['rank=isdistinct.1', ['tuna, blue', null, 'Marlin (big)']],
    ['rank=gt.0,rank=lt.3', ['Tiger', 'tuna, blue']],
    [f().in('title', ['tuna, blue', 'x']), ['tuna, blue']],
    [f().eq('title', 'Marlin (big)'), ['Marlin (big)']],
    [f().not('rank', 'eq', 1).ilike('title', 't%'), ['tuna, blue']],
    ['', ['Tiger', 'tuna, blue', null, 'Marlin (big)']],
  ])('delivers only changes that match the filter %s', async (filter, expected) => {
    const received = await watching(open({ sub: ME }), { ...NOTES, event: 'INSERT', filter })
    const last = await watching(open({ sub: ME }), { ...NOTES, event: 'INSERT', filter: 'title=eq.end' })

    await test.sql(`${seed}; insert into public.notes (owner, title, rank) values ('${ME}', 'end', null)`)

    await eventually(() => expect(titles(last)).toEqual(['end']))
    expect(titles(received).filter((title) => title !== 'end')).toEqual(expected)
  })

  it('applies the filters of several subscriptions on a channel separately', async () => {
    const client = open({ sub: ME })
    await client.realtime.setAuth()
    const seen: string[] = []
    const channel = client
      .channel('several')
      .on(
        'postgres_changes',
        { event: 'INSERT', schema: 'public', table: 'notes', filter: 'rank=eq.1' },
        () => seen.push('one'),
      )
      .on(
        'postgres_changes',
        { event: 'INSERT', schema: 'public', table: 'notes', filter: 'rank=eq.2' },
        () => seen.push('two'),
      )
      .on('postgres_changes', { event: 'DELETE', schema: 'public', table: 'notes' }, () => seen.push('gone'))
      .on('postgres_changes', { event: '*', schema: 'public' }, () => seen.push('any'))
    const received = watch(channel)
    await eventually(() => expect(received.system).toHaveLength(1))

    await test.sql(`insert into public.notes (owner, rank) values ('${ME}', 2)`)
    await eventually(() => expect(seen).toHaveLength(2))
    await test.sql('delete from public.notes')

    await eventually(() => expect(seen.toSorted()).toEqual(['any', 'any', 'gone', 'two']))
  })

  it.each([
    'title=like.Tig\\',
    'title=ilike.tig\\',
    'title=match.^T(.+)(.+)(.+)(.+)(.+)(.+)\\6\\5\\4\\3\\2\\1\\1',
  ])(
    'does not evaluate the pattern %s, which would fail, on rows that the subscriber may not see',
    async (filter) => {
      const stranger = await watching(open({ sub: OTHER }), { ...NOTES, event: 'INSERT', filter })
      const last = await watching(open({ sub: OTHER }), { ...NOTES, event: 'INSERT', filter: 'rank=eq.9' })

      await test.sql(
        `insert into public.notes (owner, title, rank) values ('${ME}', $1, 1), ('${OTHER}', 'end', 9)`,
        ['Tiger shark off the point at Protea Banks, caught on Saturday at dawn'],
      )

      await eventually(() => expect(titles(last)).toEqual(['end']))
      expect(stranger.system.map(({ status }) => status)).toEqual(['ok'])
    },
  )

  it('ends only the subscriptions of the account whose pattern fails', async () => {
    const broken = await watching(open({ sub: ME }), {
      ...NOTES,
      event: 'INSERT',
      filter: 'title=like.Tig\\',
    })
    const other = await watching(open({ sub: OTHER }), { ...NOTES, event: 'INSERT', filter: 'title=like.e%' })

    await test.sql(`insert into public.notes (owner, title) values ('${ME}', 'Tiger'), ('${OTHER}', 'end')`)

    await eventually(() => expect(titles(other)).toEqual(['end']))
    await eventually(() => expect(broken.system.map(({ status }) => status)).toEqual(['ok', 'error']))
  })

  it('ends the subscriptions of an account whose slow patterns would hold up the changes for all others', async () => {
    const slow = Array.from({ length: 6 }, (_, number) => ({
      ...NOTES,
      event: 'INSERT',
      filter: `title=match.${number}?(.+)(.+)(.+)(.+)(.+)(.+)\\6\\5\\4\\3\\2\\1\\1`,
    }))
    const greedy = await watching(open({ sub: ME }), ...slow)

    await test.sql(`insert into public.notes (owner, title) values ('${ME}', $1)`, [
      'Tiger shark off the point at Protea Banks, caught on Saturday at dawn',
    ])

    await eventually(() => expect(greedy.system).toHaveLength(1 + slow.length))
    const reasons = greedy.system.map(({ message }) => message)
    expect(reasons.filter((reason) => /take too long/.test(reason)).length).toBeGreaterThan(3)
  })

  it('matches filters against a deleted row’s primary key only', async () => {
    const received = await watching(open({ sub: ME }), { ...NOTES, event: 'DELETE', filter: 'title=eq.a' })
    const byKey = await watching(open({ sub: ME }), { ...NOTES, event: 'DELETE', filter: 'id=gt.0' })

    await test.sql(`insert into public.notes (owner, title) values ('${ME}', 'a'); delete from public.notes`)

    await eventually(() => expect(byKey.changes).toHaveLength(1))
    expect(received.changes).toEqual([])
  })
})

describe('invalid subscriptions', () => {
  it.each([
    [{ event: '*', schema: 'public', table: 'nowhere' }, /check Realtime is enabled .*table: nowhere/],
    [{ event: '*', schema: 'public', table: 'unpublished' }, /check Realtime is enabled/],
    [{ event: '*', schema: 'public', table: 'staff_only' }, /check Realtime is enabled/],
    [{ event: '*', schema: 'realtime_feed', table: 'entries' }, /check Realtime is enabled/],
    [{ ...NOTES, filter: 'nothing=eq.1' }, /invalid column for filter nothing/],
    [{ ...NOTES, filter: 'secret=eq.1' }, /invalid column for filter secret/],
    [{ ...NOTES, filter: 'rank=eq.many' }, /invalid input syntax for type integer/],
    [{ ...NOTES, filter: 'rank=like.1%' }, /operator does not exist/],
    [{ ...NOTES, filter: 'title=match.(' }, /invalid regular expression/],
    [{ ...NOTES, filter: 'rank=foo.1' }, /Error parsing `filter` params/],
    [{ ...NOTES, filter: 'undefined' }, /Error parsing `filter` params/],
    [{ ...NOTES, filter: 'rank=in.1' }, /wrapped by parentheses/],
    [{ ...NOTES, filter: `rank=in.(${Array.from({ length: 101 }, (_, n) => n).join()})` }, /too many values/],
    [{ ...NOTES, filter: 'rank=is.7' }, /invalid value for is filter/],
    [{ ...NOTES, select: ['secret'] }, /invalid column for select secret/],
    [{ event: '*', schema: '*', select: ['id'] }, /not supported for wildcard/],
    [{ event: '*' }, /Please provide at least a `schema` or `table`/],
  ])('sends a system message with the reason for the invalid subscription %j', async (filter, message) => {
    const client = open({ sub: ME })
    await client.realtime.setAuth()
    const received = watch(client.channel('refused'), filter)

    await eventually(() => expect(received.system).toHaveLength(1))

    expect(received.statuses).toEqual(['SUBSCRIBED'])
    expect(received.system[0]).toMatchObject({
      extension: 'postgres_changes',
      status: 'error',
      channel: 'refused',
    })
    expect(received.system[0]?.message).toMatch(message)
  })

  it('rejects the join when a client waits for an invalid subscription', async () => {
    const config = { postgres_changes_options: { wait: true } }
    const client = open({ sub: ME })
    await client.realtime.setAuth()
    const good = watch(client.channel('waiting', { config }), NOTES)
    const bad = watch(client.channel('waiting in vain', { config }), { ...NOTES, table: 'nowhere' })

    await eventually(() =>
      expect([good.statuses, bad.statuses[0]]).toEqual([['SUBSCRIBED'], 'CHANNEL_ERROR']),
    )
    expect(bad.errors[0]).toMatch(/check Realtime is enabled/)
  })

  it('reports an error when a table without a primary key changes', async () => {
    const received = await watching(open(), { event: '*', schema: 'public', table: 'plain' })

    await test.sql(`insert into public.plain values ('x')`)

    await eventually(() => expect(received.changes).toHaveLength(1))
    expect(received.changes[0]).toMatchObject({ errors: ['Error 400: Bad Request, no primary key'], new: {} })
  })
})

it('delivers changes of a table that is published while the server runs', async () => {
  await test.sql(`create table public.late (id int primary key); grant select on public.late to anon;
    alter publication supabase_realtime add table public.late`)
  const received = await watching(open(), { event: '*', schema: 'public', table: 'late' })

  await test.sql('insert into public.late values (1)')

  await eventually(() => expect(received.changes).toHaveLength(1))
})
