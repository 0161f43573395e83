import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, it, onTestFinished } from 'vitest'

import { usedMemory } from '#backend/testing/used-memory.ts'

import { decodeFrame } from '../protocol/frame.ts'
import {
  eventually,
  KEYS,
  openRealtime,
  type TestRealtime,
  type TestServer,
} from '../testing/open-realtime.ts'
import { openSocket, type TestSocket } from '../testing/open-socket.ts'

let test: TestRealtime
const sockets: TestSocket[] = []

beforeAll(async () => {
  test = await openRealtime(`
    create policy open on realtime.messages to anon using (true) with check (true);
    create table public.notes (id int primary key);
    grant select on public.notes to anon;
    alter publication supabase_realtime add table public.notes`)
})
afterAll(() => test.close())
afterEach(async () => {
  await Promise.all(sockets.splice(0).map((each) => each.close()))
  expect(test.logged.splice(0)).toEqual([])
})

const urlOf = ({ url }: Pick<TestServer, 'url'>) =>
  `${url}/realtime/v1/websocket?apikey=${KEYS.publishable}&vsn=2.0.0`

async function socket(server = test.server): Promise<TestSocket> {
  const opened = await openSocket(urlOf(server))
  sockets.push(opened)
  return opened
}

/** Resolves when the server has received everything that was sent before. */
async function heartbeat(client: TestSocket): Promise<void> {
  client.send([null, 'beat', 'phoenix', 'heartbeat', {}])
  expect(await client.nextArray()).toMatchObject([null, 'beat', 'phoenix', 'phx_reply', { status: 'ok' }])
}

/** Takes all connections, so that joins wait until the end of the test, and with them all frames that follow on their sockets. */
async function occupyDatabase(): Promise<void> {
  const { owner } = test.database
  const { connectionTimeoutMillis } = owner.options
  // On a slow machine, what waits for a connection would be refused, and logged, before the test has ended.
  owner.options.connectionTimeoutMillis = 0
  const held = await Promise.all(Array.from({ length: owner.options.max }, () => owner.connect()))
  onTestFinished(() => {
    for (const connection of held) connection.release()
    owner.options.connectionTimeoutMillis = connectionTimeoutMillis
  })
}

it('replies to a join with thousands of wrong values with one error', async () => {
  const client = await socket()
  const changes = Array.from({ length: 32 }, () => ({ select: Array<number>(1_000).fill(1) }))

  client.send(['1', '1', 'realtime:a', 'phx_join', { config: { postgres_changes: changes } }])

  expect(await client.nextArray()).toEqual([
    '1',
    '1',
    'realtime:a',
    'phx_reply',
    {
      status: 'error',
      response: {
        reason:
          'InvalidJoinPayload: config.postgres_changes.0.select: Invalid input: expected at most 1000 column names',
      },
    },
  ])
})

it('does not send back what a client adds to the parameters of a subscription', async () => {
  const client = await socket()
  const changes = [{ event: '*', schema: 'public', much: 'x'.repeat(60_000) }]

  client.send(['1', '1', 'realtime:a', 'phx_join', { config: { postgres_changes: changes } }])

  const [, , , , reply] = await client.nextArray()
  const id: unknown = expect.any(Number)
  expect(reply).toEqual({
    status: 'ok',
    response: { postgres_changes: [{ event: '*', schema: 'public', id }] },
  })
  await client.nextArray()
})

it('lets other work run between the frames of a backlog', async () => {
  const frame = decodeFrame(Buffer.from('["1","1","realtime:a","phx_join",{}]'), false, '2.0.0')
  let turns = 0
  const count = () => {
    turns += 1
    next = setImmediate(count)
  }
  let next = setImmediate(count)

  for (let frames = 0; frames < 10; frames += 1) await frame?.readPayload()

  clearImmediate(next)
  expect(turns).toBeGreaterThan(8)
})

it('closes a socket that sends a frame in many parts, each of which keeps a buffer in memory', async () => {
  const client = await socket()

  for (let parts = 0; parts < 100; parts += 1) client.sendFragment('x')

  expect(await client.closed()).toBe(1008)
})

/** Opens a socket without a library, which would choose the packets. */
async function rawSocket({ url, port }: TestServer): Promise<Socket> {
  const opened = connect(port, '127.0.0.1').setNoDelay()
  const { pathname, search } = new URL(urlOf({ url }))
  const headers = [
    'Host: localhost',
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: MDEyMzQ1Njc4OTAxMjM0NQ==',
  ]
  opened.write(`GET ${pathname}${search} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n`)
  const [response]: unknown[] = await once(opened, 'data')
  expect(String(response)).toMatch(/^HTTP\/1.1 101/)
  opened.on('error', () => undefined).resume()
  return opened
}

/** The head of a frame of 60 000 bytes: text, masked, length and mask. */
const HEAD = Buffer.from([0x81, 0xfe, 60_000 >> 8, 60_000 & 0xff, 0, 0, 0, 0])

it('closes a socket that sends a frame byte by byte, each of which keeps a buffer in memory', async () => {
  const client = await rawSocket(await test.anotherServer({ limits: { frameBytes: 65_536 } }))
  client.write(HEAD)

  let bytes = 0
  while (!client.readableEnded && bytes < 59_999) {
    client.write('x')
    bytes += 1
    await nextTurn()
  }

  expect(bytes).toBeLessThan(30_000)
})

it('keeps the bytes of frames that wait, not the objects in them, which are many times larger', async () => {
  const client = await socket(await test.anotherServer())
  await occupyDatabase()
  client.send(['1', '1', 'realtime:a', 'phx_join', {}])
  await heartbeat(client)
  const before = usedMemory()

  const nested = `${'['.repeat(30_000)}${']'.repeat(30_000)}`
  for (let frames = 0; frames < 50; frames += 1) client.sendRaw(`["1","1","realtime:a","x",{"a":${nested}}]`)
  await heartbeat(client)

  expect(usedMemory() - before).toBeLessThan(10 * 1024 ** 2)
})

/** Returns the bytes of all buffers in use. Collects twice: buffers are freed after the collection that found them unused. */
async function usedBuffers(): Promise<number> {
  usedMemory()
  await nextTurn()
  usedMemory()
  return process.memoryUsage().arrayBuffers
}

it('frees what a socket has sent when it closes while its join waits for the joins of others', async () => {
  const server = await test.anotherServer({ limits: { heldBytesPerAddress: 200_000 } })
  const first = await socket(server)
  await occupyDatabase()
  first.send(['1', '1', 'realtime:a', 'phx_join', {}])
  await heartbeat(first)
  const before = await usedBuffers()

  for (let closed = 0; closed < 100; closed += 1) {
    const client = await openSocket(urlOf(server))
    client.send(['1', '1', 'realtime:a', 'phx_join', { text: 'x'.repeat(60_000) }])
    await heartbeat(client)
    client.sendFragment('x'.repeat(60_000))
    await client.close()
  }

  await expect.poll(usedBuffers, { timeout: 5_000 }).toBeLessThan(before + 1024 ** 2)
})

it('frees a message when its socket closes while the database checks whether it may be sent', async () => {
  const server = await test.anotherServer()
  const clients = await Promise.all(Array.from({ length: 40 }, () => openSocket(urlOf(server))))
  for (const client of clients) {
    client.send(['1', '1', 'realtime:a', 'phx_join', { config: { private: true } }])
    expect(await client.nextArray()).toMatchObject(['1', '1', 'realtime:a', 'phx_reply', { status: 'ok' }])
  }
  await occupyDatabase()
  const before = await usedBuffers()

  for (const client of clients.splice(0)) {
    client.send(['1', '2', 'realtime:a', 'broadcast', { event: 'x', payload: 'x'.repeat(200_000) }])
    await heartbeat(client)
    await client.close()
  }

  await expect.poll(usedBuffers, { timeout: 5_000 }).toBeLessThan(before + 1024 ** 2)
})

const unreadLimits = { bufferedBytes: Infinity, heldBytes: Infinity, heldBytesPerAddress: Infinity }

it.each([
  ['an address', { ...unreadLimits, heldBytesPerAddress: 1_000_000 }],
  ['all addresses', { ...unreadLimits, heldBytes: 1_000_000 }],
])('closes the socket with the most unread messages when those of %s fill the memory', async (_, limits) => {
  const server = await test.anotherServer({ limits })
  const reading = await socket(server)
  const unread = await socket(server)
  unread.send(['1', '1', 'realtime:flood', 'phx_join', {}])
  await unread.nextArray()
  unread.pause()

  await eventually(async () => {
    const statement = "select realtime.send($1, 'flood', 'flood', false) from generate_series(1, 20)"
    await test.sql(statement, [JSON.stringify({ text: 'x'.repeat(200_000) })])
    expect(test.logged).toMatchObject([{ message: 'Closed a socket that takes too much memory' }])
  }, 10_000)

  unread.resume()
  expect(await unread.closed()).toBe(1006)
  await heartbeat(reading)
  test.logged.splice(0)
})

const HEARTBEAT = '[null,"1","phoenix","heartbeat",{}]'
const HEARTBEAT_FRAME = [Buffer.from([0x81, 0x80 + HEARTBEAT.length, 0, 0, 0, 0]), Buffer.from(HEARTBEAT)]

it.each([
  ['in the packet of its last message', [Buffer.concat([...HEARTBEAT_FRAME, HEAD, Buffer.alloc(20_000)])]],
  ['in many packets', [HEAD, ...Array<string>(100).fill('x')]],
])('closes a socket that leaves a frame incomplete %s when it fills the memory', async (_, packets) => {
  const server = await test.anotherServer({ limits: { heldBytes: 15_000 } })
  const [client, other] = [await rawSocket(server), await socket(server)]
  const closed = once(client, 'close')

  for (const packet of packets) {
    client.write(packet)
    await nextTurn()
  }

  await closed
  await heartbeat(other)
  expect(test.logged.splice(0)).toMatchObject([{ message: 'Closed a socket that takes too much memory' }])
})

it('closes the socket with the most waiting frames when those of all addresses fill the memory', async () => {
  const server = await test.anotherServer({ limits: { heldBytes: 50_000 } })
  const [large, small] = [await socket(server), await socket(server)]
  await occupyDatabase()
  large.send(['1', '1', 'realtime:a', 'phx_join', {}])
  for (const text of ['x', 'y']) large.send(['1', '2', 'realtime:a', 'x', { text: text.repeat(20_000) }])

  small.send(['1', '1', 'realtime:a', 'phx_join', { text: 'x'.repeat(20_000) }])

  expect(await large.closed()).toBe(1006)
  await heartbeat(small)
  expect(test.logged.splice(0)).toMatchObject([{ message: 'Closed a socket that takes too much memory' }])
})

/** Sends a join with so many subscriptions, and resolves when they are active. */
async function subscribeOften(client: TestSocket, subscriptions: number): Promise<void> {
  const watch = { event: '*', table: 'notes', filter: 'id=gt.1,id=lt.9', select: ['id'] }
  const changes = Array.from({ length: subscriptions }, () => watch)
  client.send(['1', '1', 'realtime:a', 'phx_join', { config: { postgres_changes: changes } }])
  expect(await client.nextArray()).toMatchObject(['1', '1', 'realtime:a', 'phx_reply', { status: 'ok' }])
  expect(await client.nextArray()).toMatchObject([null, null, 'realtime:a', 'system', { status: 'ok' }])
}

it('closes a socket whose subscriptions fill the memory, which are many times larger than the join', async () => {
  const server = await test.anotherServer({ limits: { heldBytesPerAddress: 50_000 } })
  const [client, other] = [await socket(server), await socket(server)]

  await subscribeOften(client, 100)

  expect(await client.closed()).toBe(1006)
  await heartbeat(other)
  expect(test.logged.splice(0)).toMatchObject([{ message: 'Closed a socket that takes too much memory' }])
})

it('frees the memory of subscriptions when their channel is left', async () => {
  const server = await test.anotherServer({ limits: { heldBytesPerAddress: 50_000 } })
  const client = await socket(server)

  for (let round = 0; round < 3; round += 1) {
    await subscribeOften(client, 20)
    client.send(['1', '2', 'realtime:a', 'phx_leave', {}])
    for (const event of ['phx_reply', 'phx_close']) expect((await client.nextArray())[3]).toBe(event)
  }

  client.send(['1', '1', 'realtime:a', 'phx_join', { text: 'x'.repeat(40_000) }])
  expect(await client.nextArray()).toMatchObject(['1', '1', 'realtime:a', 'phx_reply', { status: 'ok' }])
})

/** Sends a frame and resolves with what its reply says: other frames, such as changed presences, may arrive before. */
async function replyTo(client: TestSocket, event: string, payload: object): Promise<unknown> {
  client.send(['1', event, 'realtime:a', event, payload])
  let frame: unknown[]
  do frame = await client.nextArray()
  while (frame[3] !== 'phx_reply')
  return frame[4]
}

const presence = (event: string, length: number) => ({ event, payload: { text: 'x'.repeat(length) } })

it('closes a socket whose presences fill the memory, and frees those that have ended', async () => {
  const server = await test.anotherServer({ limits: { heldBytesPerAddress: 100_000 } })
  const client = await socket(server)
  for (let round = 0; round < 4; round += 1) {
    expect(await replyTo(client, 'phx_join', {})).toMatchObject({ status: 'ok' })
    for (const event of ['track', 'track', 'untrack', 'track'])
      expect(await replyTo(client, 'presence', presence(event, 15_000))).toMatchObject({ status: 'ok' })
    expect(await replyTo(client, 'phx_leave', {})).toMatchObject({ status: 'ok' })
  }
  await replyTo(client, 'phx_join', {})

  client.send(['1', '1', 'realtime:a', 'presence', presence('track', 60_000)])

  expect(await client.closed()).toBe(1006)
  expect(test.logged.splice(0)).toMatchObject([{ message: 'Closed a socket that takes too much memory' }])
})
