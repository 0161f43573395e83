import { randomUUID } from 'node:crypto'

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import {
  eventually,
  KEYS,
  openRealtime,
  tokenWithClaims,
  type TestRealtime,
} from '#backend/realtime/testing/open-realtime.ts'
import { openSocket, type TestSocket } from '#backend/realtime/testing/open-socket.ts'

const ME = '00000000-0000-4000-8000-000000000001'
/** Members of each topic may either receive messages or see who is present; no policy lets them write. */
const SCHEMA = `
  create policy hear_one_kind on realtime.messages for select to authenticated
    using (realtime.topic() = extension || '-' || auth.uid()::text);
  create function pause_join() returns boolean language plpgsql
    as $$ begin perform pg_advisory_xact_lock_shared(1); return true; end $$;
  create policy hear_after_a_pause on realtime.messages for select to authenticated
    using (realtime.topic() = 'paused' and extension = 'broadcast' and pause_join())`

let test: TestRealtime
const sockets: TestSocket[] = []
beforeAll(async () => {
  test = await openRealtime(SCHEMA)
})
afterEach(async () => {
  await Promise.all(sockets.splice(0).map((each) => each.close()))
  await test.sql('delete from realtime.messages')
})
afterAll(() => test.close())

/** Joins a private channel with a raw socket, whose frames arrive in the order in which the server sends them. */
async function joinPrivate(name: string, config: object = {}) {
  const query = `apikey=${KEYS.publishable}&vsn=1.0.0`
  const socket = await openSocket(`${test.server.url}/realtime/v1/websocket?${query}`)
  sockets.push(socket)
  socket.send({
    topic: `realtime:${name}`,
    event: 'phx_join',
    ref: '1',
    payload: {
      config: { private: true, presence: { enabled: true }, ...config },
      access_token: tokenWithClaims({ sub: ME }),
    },
  })
  expect(await socket.next()).toMatchObject({ event: 'phx_reply', payload: { status: 'ok' } })
  return socket
}

describe('a member of a private channel who may only receive messages', () => {
  const name = `broadcast-${ME}`

  it('is not told who comes and goes', async () => {
    const member = await joinPrivate(name)
    const client = test.server.client({ role: 'service_role' })
    await client.realtime.setAuth()
    const staff = client.channel(name, { config: { private: true } })
    await new Promise((joined) => {
      staff.subscribe(joined)
    })

    expect(await staff.track({ mood: 'packing' })).toBe('ok')
    await test.sql(`select realtime.send('{}', 'later', $1)`, [name])

    expect(await member.next()).toMatchObject({ event: 'broadcast', payload: { event: 'later' } })
  })

  it('cannot appear as present without a write policy', async () => {
    const client = test.server.client({ sub: ME })
    await client.realtime.setAuth()
    const channel = client.channel(name, { config: { private: true } })
    await new Promise((joined) => {
      channel.subscribe(joined)
    })

    expect(await channel.track({ mood: 'fishing' })).toBe('error')
  })
})

it('replays no messages to a member of a private channel who may only see who is present', async () => {
  await test.sql(`select realtime.send('{}', 'earlier', $1)`, [`presence-${ME}`])

  const member = await joinPrivate(`presence-${ME}`, { broadcast: { replay: { since: 0, limit: 5 } } })

  expect(await member.next()).toMatchObject({ event: 'presence_state' })
})

describe('a replay of a private channel’s messages', () => {
  const name = `broadcast-${ME}`

  async function replayed(...stored: [event: string, age: string, isPrivate?: boolean][]) {
    for (const [event, age, isPrivate = true] of stored) {
      await test.sql(
        `insert into realtime.messages (topic, extension, event, payload, private, inserted_at)
         values ($1, 'broadcast', $2, '{}', $3, now() at time zone 'utc' - $4::interval)`,
        [name, event, isPrivate, age],
      )
    }
    const member = await joinPrivate(name, { broadcast: { replay: { since: 0, limit: 2 } } })
    return [await member.next(), await member.next()]
  }

  it('sends the newest messages when there are more than requested', async () => {
    const frames = await replayed(['oldest', '3 hours'], ['newer', '2 hours'], ['newest', '1 hour'])

    expect(frames).toMatchObject([{ payload: { event: 'newer' } }, { payload: { event: 'newest' } }])
  })

  it('leaves out messages of the public channel of the same name', async () => {
    const frames = await replayed(['older', '3 hours'], ['public', '2 hours', false], ['newest', '1 hour'])

    expect(frames).toMatchObject([{ payload: { event: 'older' } }, { payload: { event: 'newest' } }])
  })
})

it('sends a message that arrives live during the replay once, after the older ones', async () => {
  const name = 'paused'
  const id = randomUUID()
  const other = await joinPrivate(name)
  const [pause, lock] = await Promise.all([test.database.owner.connect(), test.database.owner.connect()])
  const waiting = (kind: string) =>
    eventually(async () =>
      expect(
        await test.sql('select from pg_locks where locktype = $1 and not granted and database is not null', [
          kind,
        ]),
      ).not.toEqual([]),
    )

  // The join checks its rights, then the replay waits for the table.
  await pause.query('begin; select pg_advisory_xact_lock(1)')
  const joining = joinPrivate(name, { broadcast: { replay: { since: 0, limit: 5 } } })
  await waiting('advisory')
  const locked = lock.query('begin; lock table realtime.messages')
  await waiting('relation')
  await pause.query('commit')
  await locked
  const member = await joining
  await test.sql(
    `insert into realtime_feed.entries (kind, topic, message, payload)
     values ('message', $1, json_build_object('event', 'newest', 'isPrivate', true, 'meta', json_build_object('id', $2::text)), '{}')`,
    [name, id],
  )
  await test.sql('select realtime_feed.announce()')
  expect(await other.next()).toMatchObject({ payload: { event: 'newest' } })
  await lock.query(
    `insert into realtime.messages (id, topic, extension, event, payload, private, inserted_at)
     values (gen_random_uuid(), '${name}', 'broadcast', 'older', '{}', true, now() - interval '1 hour'),
            ('${id}', '${name}', 'broadcast', 'newest', '{}', true, now())`,
  )
  await lock.query('commit')
  for (const client of [pause, lock]) client.release()
  await test.sql(`select realtime.send('{}', 'later', $1)`, [name])

  const frames = [await member.next(), await member.next(), await member.next()]
  expect(frames).toMatchObject(['older', 'newest', 'later'].map((event) => ({ payload: { event } })))
})

it('refuses a message over HTTP above the size limit of messages', async () => {
  const answer = await fetch(`${test.server.url}/realtime/v1/api/broadcast/room/events/hello`, {
    method: 'POST',
    headers: { apikey: KEYS.publishable, 'Content-Type': 'application/json' },
    body: JSON.stringify({ text: 'x'.repeat(300_000) }),
  })

  expect(answer.status).toBe(422)
  expect(await answer.json()).toEqual({ error: 'Payload size exceeds the limit' })
})
