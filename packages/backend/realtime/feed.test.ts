import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'

import { dropOldMessages } from './channel/replay.ts'
import {
  eventually,
  openRealtime,
  watch,
  type TestRealtime,
  type TestServer,
} from './testing/open-realtime.ts'

const SCHEMA = `
  create table public.notes (id int primary key, owner uuid, text text);
  alter table public.notes enable row level security;
  create policy select_open on public.notes for select to anon using (owner is null);
  create policy select_own on public.notes for select to authenticated using (owner = auth.uid());
  grant select on public.notes to anon, authenticated;
  create table public.parents (id int primary key);
  create table public.parts (id int primary key, parent int references public.parents on delete cascade);
  create table public.sales (id int, place text, primary key (id, place)) partition by list (place);
  create table public.sales_north partition of public.sales for values in ('north');
  grant select on public.parts, public.sales to anon;
  alter publication supabase_realtime add table public.notes, public.parts, public.sales`
const NOTES = { event: '*', schema: 'public', table: 'notes' }

let test: TestRealtime
let other: TestServer

beforeAll(async () => {
  test = await openRealtime(SCHEMA)
  other = await test.anotherServer()
})
afterAll(() => test.close())
afterEach(async () => {
  vi.useRealTimers()
  test.leave()
  await test.sql('truncate public.notes, public.parents, public.parts')
})

async function watching(server: TestServer, filter: object = NOTES, claims?: object) {
  const client = server.client(claims)
  await client.realtime.setAuth()
  const received = watch(client.channel(`room-${crypto.randomUUID()}`), filter)
  await eventually(() => expect(received.system.map(({ status }) => status)).toEqual(['ok']))
  return received
}

/** For the feed, not for its timers. */
function skipTenMinutes(): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 10 * 60_000 })
}

const ids = (received: { changes: { new: Record<string, unknown> }[] }) =>
  received.changes.map((change) => change.new.id)

describe('several processes with one database', () => {
  it('delivers each change once and in order in every process', async () => {
    const received = await Promise.all([watching(test.server), watching(other), watching(other)])

    const writers = [0, 1, 2, 3].map(async (writer) => {
      for (let n = 0; n < 25; n += 1)
        await test.sql('insert into public.notes values ($1)', [writer * 100 + n])
    })
    await Promise.all(writers)

    for (const each of received) {
      await eventually(() => expect(each.changes).toHaveLength(100), 10_000)
      expect(new Set(ids(each)).size).toBe(100)
      const first = ids(each).filter((id) => Number(id) < 100)
      expect(first).toEqual(first.toSorted((left, right) => Number(left) - Number(right)))
    }
  })

  it('delivers the changes of a transaction that starts early and commits late', async () => {
    const received = await watching(test.server)
    const late = await test.database.owner.connect()
    await late.query('begin')
    await late.query('insert into public.notes values (1)')
    for (const id of [2, 3]) await test.sql('insert into public.notes values ($1)', [id])
    await eventually(() => expect(ids(received)).toEqual([2, 3]))

    await late.query('commit')
    late.release()

    await eventually(() => expect(ids(received)).toEqual([2, 3, 1]))
  })
})

describe('a broken database connection', () => {
  it('delivers changes that were committed while the database connection was broken', async () => {
    const received = await watching(test.server)

    await test.sql(`insert into public.notes values (10);
      select pg_terminate_backend(pid) from pg_stat_activity where query like '%advisory_lock%' and state = 'idle' and datname = current_database();
      insert into public.notes values (11)`)
    await test.sql('insert into public.notes values (12)')

    await eventually(() => expect(ids(received)).toEqual([10, 11, 12]), 12_000)
    const lost = { message: 'Live changes are delayed: the listening connection was lost' }
    expect(test.logged.splice(0)).toMatchObject([lost, lost])
  })

  it('makes every channel rejoin when the database connection was broken for too long', async () => {
    const received = await watching(test.server)
    skipTenMinutes()
    await test.sql('insert into public.notes values (20)')

    await eventually(() => expect(received.system).toHaveLength(3), 10_000)
    vi.useRealTimers()

    expect(received.system[1]).toMatchObject({
      status: 'error',
      message: expect.stringMatching(/may have been missed/),
    })
    expect(received.statuses).toEqual(['SUBSCRIBED', 'CHANNEL_ERROR', 'SUBSCRIBED'])
    await test.sql('insert into public.notes values (21)')
    await eventually(() => expect(ids(received)).toContain(21))
  })

  it('makes every channel rejoin when the process was paused for too long while it read changes', async () => {
    const received = await watching(test.server)
    const locking = await test.database.owner.connect()
    await locking.query('begin; lock table realtime_feed.entries')
    await test.sql(`select pg_notify('realtime_feed', '')`)
    const waiting = () =>
      test.sql(`select 1 from pg_locks where relation = 'realtime_feed.entries'::regclass and not granted`)
    await eventually(async () => expect(await waiting()).toHaveLength(1))

    skipTenMinutes()
    await locking.query('commit')
    locking.release()
    await test.sql('insert into public.notes values (30)')

    await eventually(() => expect(received.statuses).toEqual(['SUBSCRIBED', 'CHANNEL_ERROR', 'SUBSCRIBED']))
    vi.useRealTimers()
  })
})

it('deletes a stored message after three days and keeps newer ones', async () => {
  await test.sql(`insert into realtime.messages (topic, extension, event, inserted_at)
    select 'old and new', 'broadcast', age, now() at time zone 'utc' - age::interval
    from unnest(array['71 hours', '73 hours']) age`)

  await dropOldMessages(test.database.owner)

  expect(await test.sql(`select event from realtime.messages where topic = 'old and new'`)).toEqual([
    { event: '71 hours' },
  ])
})

it('delivers twenty thousand rows of one transaction after a single notification', async () => {
  const received = await watching(test.server)
  await test.sql(`create table public.bulk (id int primary key); grant select on public.bulk to anon;
    alter publication supabase_realtime add table public.bulk`)
  const bulk = await watching(test.server, { ...NOTES, table: 'bulk' })

  await test.sql('insert into public.bulk select generate_series(1, 20000)')
  const [usage] = await test.sql('select pg_notification_queue_usage() as share')

  // Twenty thousand notifications would fill 9e-5 of the queue; other tests of the same server leave a page or two.
  expect(usage).toMatchObject({ share: expect.closeTo(0, 4) })
  await eventually(() => expect(bulk.changes).toHaveLength(20_000), 60_000)
  expect(ids(bulk).every((id, index) => id === index + 1)).toBe(true)
  expect(received.changes).toEqual([])
}, 90_000)

it('checks the policies of a change once for all subscribers with equal claims', async () => {
  const visitors = await Promise.all(Array.from({ length: 40 }, () => watching(test.server)))
  const looks = vi.spyOn(test.database.api, 'connect')

  await test.sql('insert into public.notes values (30)')

  await Promise.all(visitors.map((each) => eventually(() => expect(ids(each)).toEqual([30]))))
  expect(looks).toHaveBeenCalledTimes(1)
  looks.mockRestore()
})

const person = (n: number) => ({ sub: `00000000-0000-4000-8000-00000000000${n}` })

it('hides a changed row from callers whose policy throws, and logs the error', async () => {
  await test.sql(`alter policy select_own on public.notes
    using (case when auth.uid()::text like '%2' then 1 / (owner is null)::int - 1 = 0 else true end)`)
  const received = await Promise.all([1, 2, 3].map((n) => watching(test.server, NOTES, person(n))))

  await test.sql(`insert into public.notes values (1, '${person(2).sub}')`)
  await eventually(() => expect(received.map(({ changes }) => changes.length)).toEqual([1, 0, 1]))
  await test.sql('delete from public.notes')

  await eventually(() =>
    expect(received.map((each) => each.changes.at(-1)?.eventType)).toEqual(['DELETE', 'DELETE', 'DELETE']),
  )
  expect(received.map(({ changes }) => changes.length)).toEqual([2, 1, 2])
  expect(test.logged.splice(0)).toMatchObject([{ message: 'Policy failed for a live change' }])
})

it('delivers cascading deletes, and delivers changes of partitions as changes of the parent table', async () => {
  const parts = await watching(test.server, { ...NOTES, table: 'parts' })
  const sales = await watching(test.server, { ...NOTES, table: 'sales' })

  await test.sql(`insert into public.parents values (1); insert into public.parts values (1, 1), (2, 1)`)
  await test.sql('delete from public.parents')
  await test.sql(`insert into public.sales values (1, 'north')`)

  await eventually(() =>
    expect(parts.changes.filter(({ eventType }) => eventType === 'DELETE')).toHaveLength(2),
  )
  await eventually(() =>
    expect(sales.changes).toMatchObject([{ table: 'sales', new: { id: 1, place: 'north' } }]),
  )
})

it('commits a change even if the feed entry fails, and makes the subscribers rejoin', async () => {
  const received = await watching(test.server)
  await test.sql(
    `alter table realtime_feed.entries add constraint no_millions check (record ->> 'id' <> '1000000')`,
  )

  await test.sql('insert into public.notes values (1000000)')

  await eventually(() => expect(received.statuses).toEqual(['SUBSCRIBED', 'CHANNEL_ERROR', 'SUBSCRIBED']))
  expect(await test.sql('select id from public.notes')).toEqual([{ id: 1000000 }])
  await test.sql('alter table realtime_feed.entries drop constraint no_millions')
})

it('grants no API role access to the feed of changes', async () => {
  const refused = test.sql(`begin; set local role authenticated; select from realtime_feed.entries`)

  await expect(refused).rejects.toMatchObject({ code: '42501' })
  await test.sql('rollback').catch(() => undefined)
})

it('keeps an entry of the feed for five minutes, and deletes it afterwards', async ({ onTestFinished }) => {
  // A new process, because earlier tests moved the clock of the others.
  const received = await watching(await test.anotherServer())
  await test.sql('insert into public.notes values (100)')
  await test.sql('create table public.newest_entry as select max(id) as id from realtime_feed.entries')
  // An entry is kept for longer while a transaction of any database in the cluster is older, such as one of another test.
  await eventually(async () => {
    const older = await test.sql(`select from realtime_feed.entries natural join public.newest_entry
      where transaction >= pg_snapshot_xmin(pg_current_snapshot())`)
    expect(older).toEqual([])
  })
  const isKept = async () =>
    (await test.sql('select from realtime_feed.entries natural join public.newest_entry')).length === 1
  const start = Date.now()
  onTestFinished(() => void vi.useRealTimers())
  let id = 100
  const passTo = async (minutes: number) => {
    vi.useFakeTimers({ toFake: ['Date'], now: start + minutes * 60_000 })
    // A process deletes old entries after it has delivered new ones, and before it delivers the next.
    for (let count = 0; count < 2; count += 1) {
      id += 1
      await test.sql('insert into public.notes values ($1)', [id])
      const expected = id
      await eventually(() => expect(ids(received)).toContain(expected))
    }
  }

  for (const minutes of [2, 4]) await passTo(minutes)
  expect(await isKept()).toBe(true)

  for (const minutes of [6, 8]) await passTo(minutes)
  expect(await isKept()).toBe(false)
})
