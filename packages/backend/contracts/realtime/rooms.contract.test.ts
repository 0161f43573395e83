import type { RealtimeChannel } from '@supabase/supabase-js'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'

import { PRESENCE_LOCKS } from '#backend/realtime/channel/presence.ts'
import {
  eventually,
  KEYS,
  openRealtime,
  tokenWithClaims,
  type TestRealtime,
  type TestServer,
} from '#backend/realtime/testing/open-realtime.ts'

const ME = '00000000-0000-4000-8000-000000000001'
const SCHEMA = `
  create policy hear_mine on realtime.messages for select to authenticated
    using (realtime.topic() = 'mine-' || auth.uid()::text);
  create policy say_mine on realtime.messages for insert to authenticated
    with check (realtime.topic() = 'mine-' || auth.uid()::text and extension = 'broadcast');
  create policy hear_one_kind on realtime.messages for select to authenticated
    using (realtime.topic() = extension || '-' || auth.uid()::text);
  create policy hear_hall on realtime.messages for select to anon using (realtime.topic() = 'hall');`

let test: TestRealtime
let other: TestServer
beforeAll(async () => {
  test = await openRealtime(SCHEMA)
  other = await test.anotherServer()
})
afterAll(() => test.close())
afterEach(() => expect(test.logged).toEqual([]))

async function joined(channel: RealtimeChannel): Promise<string> {
  return new Promise((resolve) => {
    channel.subscribe((status, error) => resolve(error ? error.message : status))
  })
}

interface Said {
  event: string
  payload: unknown
  meta?: object
}

/** Joins a channel and collects its messages. */
async function listen(channel: RealtimeChannel) {
  const messages: Said[] = []
  channel.on('broadcast', { event: '*' }, (message) =>
    messages.push({ ...message, payload: message.payload }),
  )
  return { messages, status: await joined(channel), channel }
}

const bytesOf = (payload: unknown) => (payload instanceof ArrayBuffer ? [...new Uint8Array(payload)] : null)
const hello = { type: 'broadcast' as const, event: 'hello', payload: { to: 'you ☃', n: [1, 2.5, null] } }

describe.each(['1.0.0', '2.0.0'])('broadcast with protocol %s', (vsn) => {
  it('delivers a message to all room members in every process except the sender', async () => {
    const room = `room-${vsn}`
    const sender = await listen(test.server.client(undefined, { vsn }).channel(room))
    const sameProcess = await listen(test.server.client().channel(room))
    const otherProcess = await listen(other.client(undefined, { vsn: '1.0.0' }).channel(room))
    const otherRoom = await listen(other.client().channel('another room'))

    expect(await sender.channel.send(hello)).toBe('ok')

    for (const each of [sameProcess, otherProcess]) {
      await eventually(() =>
        expect(each.messages).toMatchObject([{ event: 'hello', payload: hello.payload }]),
      )
    }
    expect([sender.messages, otherRoom.messages]).toEqual([[], []])
  })

  it('acknowledges a message and echoes the message to the sender on request', async () => {
    const config = { broadcast: { ack: true, self: true } }
    const sender = await listen(test.server.client(undefined, { vsn }).channel(`self-${vsn}`, { config }))

    expect(await sender.channel.send(hello)).toBe('ok')

    await eventually(() => expect(sender.messages).toMatchObject([{ payload: hello.payload }]))
  })

  it('delivers the messages of each sender in order', async () => {
    const sender = await listen(test.server.client(undefined, { vsn }).channel(`order-${vsn}`))
    const received = await listen(other.client().channel(`order-${vsn}`))

    for (let n = 0; n < 50; n += 1) void sender.channel.send({ ...hello, payload: { n } })

    await eventually(() => expect(received.messages).toHaveLength(50))
    expect(received.messages.map(({ payload }) => payload)).toEqual(
      Array.from({ length: 50 }, (_, n) => ({ n })),
    )
  })
})

describe('broadcast', () => {
  it('delivers binary messages as bytes', async () => {
    const sender = await listen(test.server.client().channel('bytes'))
    const received = await listen(other.client().channel('bytes'))
    const bytes = new Uint8Array([0, 1, 255]).buffer

    await sender.channel.send({ type: 'broadcast', event: 'raw', payload: bytes })
    await sender.channel.httpSend('raw', new Uint8Array([7]))

    await eventually(() => expect(received.messages).toHaveLength(2))
    // Socket and HTTP are two connections: either message may arrive first.
    expect(received.messages.map(({ payload }) => bytesOf(payload))).toEqual(
      expect.arrayContaining([[0, 1, 255], [7]]),
    )
  })

  it('refuses a broadcast message above the size limit', async () => {
    const config = { broadcast: { ack: true } }
    const sender = await listen(test.server.client().channel('large', { config }))

    expect(await sender.channel.send({ ...hello, payload: { text: 'x'.repeat(300_000) } })).toBe('error')
  })

  it('sends broadcast messages over HTTP without a socket', async () => {
    const received = await listen(other.client().channel('by post'))
    const sender = test.server.client().channel('by post')

    expect(await sender.httpSend('one', { n: 1 })).toEqual({ success: true })
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    expect(await sender.send({ ...hello, event: 'two' })).toBe('ok')
    warned.mockRestore()

    await eventually(() => expect(received.messages.map(({ event }) => event)).toEqual(['one', 'two']))
  })

  it.each([
    ['/api/broadcast', '{"messages":[{"topic":"a"}]}', 422],
    ['/api/broadcast', 'no json', 422],
    ['/api/broadcast/a/events/b', 'no json', 422],
    ['/api/broadcast/a/events/b?persist=true', '{}', 422],
    ['/api/tenants', '{}', 404],
  ])('refuses the invalid broadcast request POST %s %s', async (path, body, status) => {
    const headers = { apikey: KEYS.publishable, 'Content-Type': 'application/json' }

    const answer = await fetch(`${test.server.url}/realtime/v1${path}`, { method: 'POST', headers, body })

    expect(answer.status).toBe(status)
    expect(await answer.json()).toMatchObject({})
  })

  it('refuses more than a hundred messages in one call over HTTP', async () => {
    const headers = { apikey: KEYS.publishable, 'Content-Type': 'application/json' }
    const send = async (count: number) => {
      const messages = Array.from({ length: count }, () => ({ topic: 'many', event: 'a', payload: {} }))
      const body = JSON.stringify({ messages })
      const url = `${test.server.url}/realtime/v1/api/broadcast`
      return (await fetch(url, { method: 'POST', headers, body })).status
    }

    expect([await send(100), await send(101)]).toEqual([202, 422])
  })

  it('delivers a message that SQL sends when the transaction commits', async () => {
    const received = await listen(test.server.client().channel('from sql'))

    await test.sql(`begin; select realtime.send('{"n":1}', 'undone', 'from sql', false); rollback;
      select realtime.send('{"n":2}', 'done', 'from sql', false); select realtime.send_binary('\\x0102', 'raw', 'from sql', false)`)

    await eventually(() => expect(received.messages).toHaveLength(2))
    expect(received.messages[0]).toMatchObject({ event: 'done', payload: { n: 2, id: expect.any(String) } })
    expect(bytesOf(received.messages[1]?.payload)).toEqual([1, 2])
  })
})

describe('a private channel', () => {
  const config = { private: true, broadcast: { ack: true, self: true } }
  const mine = `mine-${ME}`

  async function member(
    server: TestServer,
    claims: object | undefined,
    { name = mine, more = config }: { name?: string; more?: object } = {},
  ) {
    const client = server.client(claims)
    await client.realtime.setAuth()
    return listen(client.channel(name, { config: more }))
  }

  it('lets only users with a read policy join a private channel', async () => {
    const [me, stranger, visitor] = await Promise.all([
      member(test.server, { sub: ME }),
      member(test.server, { sub: ME.replace(/1$/, '2') }),
      member(test.server, undefined),
    ])

    const refused = `Unauthorized: You do not have permissions to read from this Channel topic: ${mine}`
    expect([me.status, stranger.status, visitor.status]).toEqual(['SUBSCRIBED', refused, refused])
  })

  it('delivers only messages of users with a write policy on a private channel', async () => {
    const me = await member(test.server, { sub: ME })
    const reader = await member(other, undefined, {
      name: 'hall',
      more: { ...config, broadcast: { ack: false, self: true } },
    })
    const uninvited = test.server.client().channel(mine)

    await me.channel.send(hello)
    await reader.channel.send(hello)
    await uninvited.httpSend('hello', { from: 'outside' })
    await me.channel.send({ ...hello, event: 'bye' })

    await eventually(() => expect(me.messages.map(({ event }) => event)).toEqual(['hello', 'bye']))
    expect(reader.messages).toEqual([])
  })

  it('refuses a message over HTTP to a private channel without write access', async () => {
    const client = test.server.client({ sub: ME.replace(/1$/, '2') })
    await client.realtime.setAuth()

    await expect(client.channel(mine, { config }).httpSend('hello', {})).rejects.toThrow('Unauthorized')
  })

  it.each([
    ['any messages', mine],
    ['broadcast messages', `broadcast-${ME}`],
    ['presences', `presence-${ME}`],
  ])('closes a private channel when a new token may no longer read its %s', async (_, name) => {
    const client = test.server.client({ sub: ME })
    await client.realtime.setAuth()
    const { channel } = await listen(client.channel(name, { config }))
    const reasons: unknown[] = []
    channel.on('system', {}, ({ message }) => reasons.push(message))

    client.realtime.accessToken = async () => tokenWithClaims({ sub: ME.replace(/1$/, '2') })
    await client.realtime.setAuth()

    await eventually(() =>
      expect(reasons).toEqual([`You no longer have permission to read from this Channel topic: ${name}`]),
    )
    await eventually(() => expect(channel.state).toBe('closed'))
  })

  it('delivers no messages to a member of a private channel who may only see who is present', async () => {
    const client = test.server.client({ sub: ME })
    await client.realtime.setAuth()
    const watcher = await listen(client.channel(`presence-${ME}`, { config }))
    // The same socket, so that it receives a message of the private channel first.
    const open = await listen(client.channel('open to all'))

    await test.sql(`select realtime.send('{}', 'hidden', $1)`, [`presence-${ME}`])
    await test.sql(`select realtime.send('{}', 'shown', 'open to all', false)`)

    await eventually(() => expect(open.messages.map(({ event }) => event)).toEqual(['shown']))
    expect([watcher.status, watcher.messages]).toEqual(['SUBSCRIBED', []])
  })

  it('hides who is present from a member of a private channel who may only receive messages', async () => {
    const name = `broadcast-${ME}`
    const staff = await member(test.server, { role: 'service_role' }, { name })
    expect(await staff.channel.track({ mood: 'packing' })).toBe('ok')
    const client = test.server.client({ sub: ME })
    await client.realtime.setAuth()
    const channel = client.channel(name, { config }).on('presence', { event: 'sync' }, () => undefined)

    const status = await joined(channel)
    // The reply follows everything that the join sends.
    const untracked = await channel.untrack()

    expect([status, untracked, channel.presenceState()]).toEqual(['SUBSCRIBED', 'ok', {}])
  })

  it('sends a binary message of SQL to the private channel by default', async () => {
    // Not the topic of the replay below.
    const name = `broadcast-${ME}`
    const me = await member(test.server, { sub: ME }, { name })

    await test.sql(`select realtime.send_binary('\\x07', 'raw', $1)`, [name])

    await eventually(() => expect(me.messages.map(({ payload }) => bytesOf(payload))).toEqual([[7]]))
  })

  it('replays a private channel’s earlier messages on request', async () => {
    const live = await member(test.server, { sub: ME })
    await test.sql(`select realtime.send('{"n":1}', 'earlier', $1)`, [mine])
    // Otherwise it might also arrive live, after the join.
    await eventually(() => expect(live.messages.map(({ event }) => event)).toContain('earlier'))

    const replayed = await member(
      test.server,
      { sub: ME },
      {
        more: { private: true, broadcast: { replay: { since: Date.now() - 60_000, limit: 5 } } },
      },
    )

    await eventually(() =>
      expect(replayed.messages).toMatchObject([{ event: 'earlier', meta: { replayed: true } }]),
    )
  })
})

function present(server: TestServer, key: string, room = 'here') {
  const channel = server.client().channel(room, { config: { presence: { key } } })
  const left: string[] = []
  channel.on('presence', { event: 'leave' }, ({ key: who }) => left.push(who))
  return { channel, left, names: () => Object.keys(channel.presenceState()).toSorted() }
}

describe('presence', () => {
  it('reports who joins and leaves a room in every process', async () => {
    const ann = present(test.server, 'ann')
    const ben = present(other, 'ben')
    await joined(ann.channel)
    expect(await ann.channel.track({ mood: 'fishing' })).toBe('ok')
    await joined(ben.channel)
    await eventually(() => expect(ben.names()).toEqual(['ann']))
    expect(ben.channel.presenceState()).toMatchObject({ ann: [{ mood: 'fishing' }] })

    await ben.channel.track({})
    await ann.channel.track({ mood: 'packing' })
    await eventually(() => expect(ann.names()).toEqual(['ann', 'ben']))
    await eventually(() => expect(ben.channel.presenceState()).toMatchObject({ ann: [{ mood: 'packing' }] }))

    await ann.channel.untrack()
    await eventually(() => expect(ben.names()).toEqual(['ben']))
    await ben.channel.unsubscribe()
    await eventually(() => expect([ann.names(), ann.left.includes('ben')]).toEqual([[], true]))
  })

  it('refuses a presence above the size limit of messages', async () => {
    const { channel } = present(test.server, 'wordy', 'large')
    await joined(channel)

    expect(await channel.track({ text: 'x'.repeat(300_000) })).toBe('error')
  })

  it('removes a presence when the socket or the process ends', async () => {
    const third = await test.anotherServer()
    const watcher = present(test.server, 'watcher', 'dock')
    await joined(watcher.channel)
    for (const [server, key] of [
      [third, 'cal'],
      [other, 'dee'],
    ] as const) {
      const { channel } = present(server, key, 'dock')
      await joined(channel)
      await channel.track({})
    }
    await eventually(() => expect(watcher.names()).toEqual(['cal', 'dee']))

    await third.realtime.close()

    await eventually(() => expect(watcher.names()).toEqual(['dee']))
  })

  it('removes a killed process’s users from the presence list', async () => {
    const killed = await test.database.owner.connect()
    await killed.query(`select pg_advisory_lock($1, 42)`, [PRESENCE_LOCKS])
    await test.sql(
      `insert into realtime_feed.presences values (gen_random_uuid(), 'pier', false, 'ghost', '{"phx_ref":"g"}', 42)`,
    )
    const watcher = present(test.server, 'watcher', 'pier')
    await joined(watcher.channel)
    await eventually(() => expect(watcher.names()).toEqual(['ghost']))

    killed.release(true)

    await eventually(() => expect(watcher.left).toContain('ghost'))
  })
})
