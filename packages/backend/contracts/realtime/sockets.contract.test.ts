import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { WebSocket } from 'ws'
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'

import { createBackend } from '#backend/create-backend.ts'
import { LIMITS } from '#backend/realtime/limits.ts'
import { filesOf } from '#backend/storage/files/open-files.ts'
import {
  eventually,
  KEYS,
  openRealtime,
  tokenWithClaims,
  watch,
  type TestRealtime,
} from '#backend/realtime/testing/open-realtime.ts'
import { openSocket, type TestSocket } from '#backend/realtime/testing/open-socket.ts'

const SCHEMA = `
  create table public.notes (id int primary key, owner uuid);
  alter table public.notes enable row level security;
  create policy select_own on public.notes for select to authenticated using (owner = auth.uid());
  grant select on public.notes to authenticated;
  alter publication supabase_realtime add table public.notes`
const ME = '00000000-0000-4000-8000-000000000001'
const NOTES = { event: '*', schema: 'public', table: 'notes' }

const revoked = new Set<unknown>()
/** Sessions that cannot be checked. */
const uncheckable = new Set<unknown>()
/** The sessions of the tokens that were found valid, in order. */
const checked: unknown[] = []
let test: TestRealtime
const sockets: TestSocket[] = []

beforeAll(async () => {
  test = await openRealtime(SCHEMA, {
    limits: { channelsPerSocket: 3, socketsPerAddress: 5, tokenCheckMs: 100, frameBytes: 20_000 },
    isRevoked: async ({ session_id: session }) => {
      checked.push(session)
      if (uncheckable.has(session)) throw new Error('The database is away')
      return revoked.has(session)
    },
  })
})
afterAll(() => test.close())
afterEach(async () => {
  await Promise.all(sockets.splice(0).map((each) => each.close()))
  expect(test.logged).toEqual([])
})

async function socket(query = `apikey=${KEYS.publishable}&vsn=2.0.0`, headers = {}): Promise<TestSocket> {
  const opened = await openSocket(`${test.server.url}/realtime/v1/websocket?${query}`, headers)
  sockets.push(opened)
  return opened
}

const join = (token?: string, config: object = {}) => ({ config, ...(token && { access_token: token }) })

describe('refused sockets', () => {
  const agent = { 'User-Agent': 'Mozilla/5.0 (X11; Linux) Chrome/140' }

  it.each([
    { why: 'without a key', query: 'vsn=2.0.0', status: 401, message: 'No API key found in request' },
    {
      why: 'with an unknown key',
      query: 'apikey=sb_publishable_other',
      status: 401,
      message: 'Invalid API key',
    },
    {
      why: 'with the secret key in a browser',
      query: `apikey=${KEYS.secret}`,
      headers: agent,
      status: 401,
      message: 'Forbidden use of secret API key in browser',
    },
  ])('refuses a socket connection $why', async ({ query, headers, status, message }) => {
    await expect(socket(query, headers)).rejects.toMatchObject({ status, body: { message } })
  })

  it('refuses a socket connection with an unknown protocol version', async () => {
    const refused = socket(`apikey=${KEYS.publishable}&vsn=3.0.0`)

    await expect(refused).rejects.toMatchObject({ status: 400 })
  })

  it.each(['2.0.0', '3.0.0'])(
    'names the request in the response to a socket of version %s',
    async (version) => {
      const url = `${test.server.url}/realtime/v1/websocket?apikey=${KEYS.publishable}&vsn=${version}`
      const opening = new WebSocket(url.replace(/^http/, 'ws'))
      const { headers } = await new Promise<IncomingMessage>((resolve) => {
        opening.once('upgrade', resolve)
        opening.once('unexpected-response', (_, response) => resolve(response))
      })
      opening.on('error', () => undefined)
      opening.terminate()

      expect(headers['x-request-id']).toMatch(/^[\da-f-]{36}$/)
    },
  )

  it('refuses a socket connection at another path', async () => {
    const otherRoom = openSocket(`${test.server.url}/realtime/v1/elsewhere?apikey=${KEYS.publishable}`)

    await expect(otherRoom).rejects.toMatchObject({ status: 404 })
  })

  it('refuses a socket when the address has too many open sockets', async () => {
    const opened = await Promise.all(Array.from({ length: 5 }, () => socket()))
    await expect(socket()).rejects.toMatchObject({ status: 429, body: { error: 'Too many connected users' } })

    await opened[0]?.close()

    await eventually(() => socket())
  })
})

function socketUrl({ url }: { url: string }): string {
  return `${url}/realtime/v1/websocket?apikey=${KEYS.publishable}&vsn=2.0.0`
}

/** Serves sockets behind a proxy, so many of each address, and returns their URL. */
async function serveSockets({ socketsPerProcess }: { socketsPerProcess: number }): Promise<string> {
  const backend = createBackend({
    database: test.database,
    keys: KEYS,
    publicUrl: 'http://127.0.0.1',
    files: filesOf('/nowhere'),
    trustProxy: 1,
    log: { error: () => undefined, warn: () => undefined },
    auth: { sendMail: async () => undefined },
    functions: { functions: {}, createContext: () => null },
    realtime: { processes: LIMITS.socketsPerAddress / socketsPerProcess },
  })
  const web = createServer().listen(0, '127.0.0.1')
  await once(web, 'listening')
  const served = backend.serveSockets(web)
  onTestFinished(async () => {
    await served.close()
    web.close()
  })
  const address = web.address()
  return socketUrl({ url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}` })
}

describe('limits of a process', () => {
  const heartbeat = [null, '1', 'phoenix', 'heartbeat', {}]

  it('refuses a socket when the process has too many open sockets', async () => {
    const small = await test.anotherServer({ limits: { sockets: 1 } })
    sockets.push(await openSocket(socketUrl(small)))

    await expect(openSocket(socketUrl(small))).rejects.toMatchObject({ status: 429 })
  })

  it('divides the open sockets of an address among the processes of a machine', async () => {
    const url = await serveSockets({ socketsPerProcess: 2 })

    const opened = [await openSocket(url), await openSocket(url)]
    const third = await openSocket(url).catch((refused: unknown) => refused)

    sockets.push(...opened)
    expect(third).toMatchObject({ status: 429 })
  })

  it('counts the open sockets of all networks that one IPv6 site has', async () => {
    const url = await serveSockets({ socketsPerProcess: 1 })
    const from = (address: string) => openSocket(url, { 'X-Forwarded-For': address })

    sockets.push(await from('2001:db8:1:1::1'))
    const sameSite = await from('2001:db8:1:2::1').catch((refused: unknown) => refused)
    sockets.push(await from('2001:db8:2::1'))

    expect(sameSite).toMatchObject({ status: 429 })
  })

  it('closes a socket that sends too many frames in a second', async () => {
    const small = await test.anotherServer({ limits: { framesPerSecond: 5 } })
    const client = await openSocket(socketUrl(small))
    sockets.push(client)

    for (let frames = 0; frames < 20; frames += 1) client.send(heartbeat)

    expect(await client.closed()).toBe(1008)
  })

  it('closes a socket when the frames that wait for their turn take too much memory', async () => {
    const small = await test.anotherServer({ limits: { heldBytesPerAddress: 50_000 } })
    const [first, second] = [await openSocket(socketUrl(small)), await openSocket(socketUrl(small))]
    sockets.push(first, second)
    const { owner } = test.database
    // Without a free connection the join waits, and with it all frames that follow on its socket.
    const held = await Promise.all(Array.from({ length: owner.options.max }, () => owner.connect()))

    try {
      first.send(['1', '1', 'realtime:a', 'phx_join', join()])
      for (const ref of ['2', '3']) first.send(['1', ref, 'realtime:a', 'x', { much: 'x'.repeat(20_000) }])
      first.send([null, '4', 'phoenix', 'heartbeat', {}])
      expect(await first.nextArray()).toMatchObject([null, '4', 'phoenix', 'phx_reply', { status: 'ok' }])
      second.send(['1', '1', 'realtime:a', 'phx_join', { much: 'x'.repeat(20_000) }])

      expect(await second.closed()).toBe(1008)
    } finally {
      for (const connection of held) connection.release()
    }
    expect(await first.nextArray()).toMatchObject(['1', '1', 'realtime:a', 'phx_reply', { status: 'ok' }])
  })

  it('closes a socket whose joined channels take too much memory, and frees it with each channel', async () => {
    const small = await test.anotherServer({ limits: { heldBytesPerAddress: 50_000 } })
    const client = await openSocket(socketUrl(small))
    sockets.push(client)
    const large = { ...join(), much: 'x'.repeat(20_000) }
    for (let round = 0; round < 5; round += 1) {
      client.send(['1', '1', 'realtime:a', 'phx_join', large])
      client.send(['1', '2', 'realtime:a', 'phx_leave', {}])
      for (const event of ['phx_reply', 'phx_reply', 'phx_close'])
        expect((await client.nextArray())[3]).toBe(event)
    }

    for (const name of ['a', 'b']) {
      client.send([name, name, `realtime:${name}`, 'phx_join', large])
      expect(await client.nextArray()).toMatchObject([name, name, `realtime:${name}`, 'phx_reply', {}])
    }
    client.send(['c', 'c', 'realtime:c', 'phx_join', large])

    expect(await client.closed()).toBe(1008)
  })

  it('accepts only small frames while broadcast and presence are disabled', async () => {
    const quiet = await test.anotherServer({ limits: {}, features: { broadcast: false, presence: false } })
    const client = await openSocket(socketUrl(quiet))
    sockets.push(client)

    client.send([null, '1', 'phoenix', 'heartbeat', { much: 'x'.repeat(70_000) }])

    expect(await client.closed()).toBe(1009)
  })

  it('refuses too many joins in a second', async () => {
    const small = await test.anotherServer({ limits: { joinsPerSecond: 2 } })
    const client = await openSocket(socketUrl(small))
    sockets.push(client)
    // A slow join would leave time for another one.
    vi.spyOn(performance, 'now').mockReturnValue(performance.now())
    onTestFinished(() => void vi.restoreAllMocks())
    for (const name of ['a', 'b', 'c']) client.send([name, name, `realtime:${name}`, 'phx_join', join()])

    const answers = [await client.nextArray(), await client.nextArray(), await client.nextArray()]

    expect(answers.map((answer) => answer[4])).toMatchObject([
      { status: 'ok' },
      { status: 'ok' },
      { response: { reason: 'ClientJoinRateLimitReached: Too many joins per second' } },
    ])
  })
})

it('confirms a join only when the channel receives every later message', async () => {
  const idle = await test.anotherServer()
  const client = await openSocket(socketUrl(idle))
  sockets.push(client)
  const { owner } = test.database
  // Without a free connection the server cannot fix the position from which it reads messages.
  const held = await Promise.all(Array.from({ length: owner.options.max }, () => owner.connect()))

  client.send(['1', '1', 'realtime:late', 'phx_join', join()])
  const topics: unknown[] = []
  for (let beat = 0; beat < 5; beat += 1) {
    client.send([null, `${beat}`, 'phoenix', 'heartbeat', {}])
    topics.push((await client.nextArray())[2])
  }
  for (const connection of held) connection.release()

  expect(topics).toEqual(Array(5).fill('phoenix'))
  expect(await client.nextArray()).toMatchObject(['1', '1', 'realtime:late', 'phx_reply', { status: 'ok' }])
})

describe('the protocol', () => {
  it('replies to heartbeats in both protocol versions', async () => {
    const newer = await socket()
    const older = await socket(`apikey=${KEYS.publishable}&vsn=1.0.0`)

    newer.send([null, '7', 'phoenix', 'heartbeat', {}])
    older.send({ topic: 'phoenix', event: 'heartbeat', payload: {}, ref: '8', join_ref: null })

    expect(await newer.next()).toEqual([null, '7', 'phoenix', 'phx_reply', { status: 'ok', response: {} }])
    expect(await older.next()).toEqual({
      join_ref: null,
      ref: '8',
      topic: 'phoenix',
      event: 'phx_reply',
      payload: { status: 'ok', response: {} },
    })
  })

  it('replies to a join with the requested subscriptions, in order and with ids', async () => {
    const client = await socket()
    const request = [
      { event: 'INSERT', schema: 'public', table: 'notes', filter: 'id=gt.1' },
      { event: '*', schema: 'public', table: 'notes', select: ['id'] },
    ]

    client.send([
      '1',
      '1',
      'realtime:notes',
      'phx_join',
      join(tokenWithClaims({ sub: ME }), { postgres_changes: request }),
    ])

    const [joinRef, ref, topic, event, payload] = await client.nextArray()
    expect([joinRef, ref, topic, event]).toEqual(['1', '1', 'realtime:notes', 'phx_reply'])
    const id: unknown = expect.any(Number)
    expect(payload).toEqual({
      status: 'ok',
      response: { postgres_changes: request.map((each) => ({ ...each, id })) },
    })
    expect(await client.nextArray()).toMatchObject([null, null, 'realtime:notes', 'system', { status: 'ok' }])
  })

  it('closes a channel when the client leaves or joins the topic again', async () => {
    const client = await socket()
    client.send(['1', '1', 'realtime:a', 'phx_join', join()])
    expect(await client.nextArray()).toMatchObject(['1', '1', 'realtime:a', 'phx_reply', { status: 'ok' }])

    client.send(['2', '2', 'realtime:a', 'phx_join', join()])
    expect(await client.nextArray()).toEqual(['1', '1', 'realtime:a', 'phx_close', {}])
    expect(await client.nextArray()).toMatchObject(['2', '2', 'realtime:a', 'phx_reply', { status: 'ok' }])

    client.send(['2', '3', 'realtime:a', 'phx_leave', {}])
    expect(await client.nextArray()).toEqual([
      '2',
      '3',
      'realtime:a',
      'phx_reply',
      { status: 'ok', response: {} },
    ])
    expect(await client.nextArray()).toEqual(['2', '2', 'realtime:a', 'phx_close', {}])
  })

  it('ignores a frame of an earlier join of the topic', async () => {
    const client = await socket()
    for (const joinRef of ['1', '2']) client.send([joinRef, joinRef, 'realtime:a', 'phx_join', join()])
    for (const expected of ['phx_reply', 'phx_close', 'phx_reply'])
      expect((await client.nextArray())[3]).toBe(expected)

    client.send(['1', '3', 'realtime:a', 'phx_leave', {}])
    client.send(['2', '4', 'realtime:a', 'phx_leave', {}])

    expect(await client.nextArray()).toMatchObject(['2', '4', 'realtime:a', 'phx_reply', { status: 'ok' }])
  })

  it.each([
    ['other:a', 'phx_join', {}, 'unmatched topic'],
    ['realtime:', 'phx_join', {}, 'TopicNameRequired: You must provide a topic name'],
    ['realtime:never joined', 'broadcast', { event: 'x' }, 'unmatched topic'],
    ['realtime:a', 'phx_join', { config: { private: 'perhaps' } }, /^InvalidJoinPayload: config.private/],
    ['realtime:a', 'phx_join', join('nonsense'), 'MalformedJWT: The token provided is not a valid JWT'],
    ['realtime:a', 'phx_join', join('a.e30.forged'), 'JwtSignatureError: Failed to validate JWT signature'],
    [
      'realtime:a',
      'phx_join',
      join(tokenWithClaims({ exp: 1 })),
      /^InvalidJWTToken: Token has expired \d+ seconds ago$/,
    ],
    [
      'realtime:a',
      'phx_join',
      join(tokenWithClaims({ role: 'postgres' })),
      'InvalidJWTToken: The role of the token is not served',
    ],
    [
      'realtime:a',
      'phx_join',
      join(undefined, { broadcast: { replay: { since: 1 } } }),
      /Replay is not allowed for public/,
    ],
  ])('refuses an invalid socket frame: %s %s %j', async (...[topic, event, payload, reason]) => {
    const client = await socket()

    client.send(['1', '1', topic, event, payload])

    const answer = await client.nextArray()
    expect(answer).toMatchObject(['1', '1', topic, 'phx_reply', { status: 'error' }])
    const messages: unknown = typeof reason === 'string' ? reason : expect.stringMatching(reason)
    expect(answer[4]).toMatchObject({ response: { reason: messages } })
  })

  it('ignores a frame whose reference is too long to be a number of a frame', async () => {
    const client = await socket()

    client.send(['1'.repeat(65), '1', 'realtime:a', 'phx_join', join()])
    client.send(['1', '1'.repeat(65), 'realtime:a', 'phx_join', join()])
    client.send(['1', '2', 'realtime:a', 'phx_join', join()])

    expect(await client.nextArray()).toMatchObject(['1', '2', 'realtime:a', 'phx_reply', { status: 'ok' }])
  })

  it('ignores a frame whose topic or event is longer than 255 characters', async () => {
    const client = await socket()

    client.send(['1', '1', `realtime:${'x'.repeat(247)}`, 'phx_join', join()])
    client.send(['1', '2', 'realtime:a', 'x'.repeat(256), {}])
    client.send(['1', '3', `realtime:${'x'.repeat(246)}`, 'phx_join', join()])

    expect(await client.nextArray()).toMatchObject([
      '1',
      '3',
      expect.any(String),
      'phx_reply',
      { status: 'ok' },
    ])
  })

  it('limits the number of channels per socket', async () => {
    const client = await socket()
    for (const name of ['a', 'b', 'c', 'd']) client.send([name, name, `realtime:${name}`, 'phx_join', join()])

    const answers = [
      await client.nextArray(),
      await client.nextArray(),
      await client.nextArray(),
      await client.nextArray(),
    ]

    expect(answers.map((answer) => answer[4])).toMatchObject([
      { status: 'ok' },
      { status: 'ok' },
      { status: 'ok' },
      { status: 'error', response: { reason: 'ChannelRateLimitReached: Too many channels' } },
    ])
  })

  it('closes a socket that sends a frame above the size limit', async () => {
    const client = await socket()

    client.send([null, '1', 'phoenix', 'heartbeat', { much: 'x'.repeat(30_000) }])

    expect(await client.closed()).toBe(1009)
  })
})

async function joinedWith(token: string) {
  const client = await socket()
  client.send(['1', '1', 'realtime:a', 'phx_join', join(token, { postgres_changes: [NOTES] })])
  await client.nextArray()
  await client.nextArray()
  return client
}

const tokenOfOneMinute = () => tokenWithClaims({ sub: ME, exp: Math.floor(Date.now() / 1000) + 60 })

/** Passes less time than that after which the feed reports a gap. */
const passOneMinute = () => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 })

async function nextCheckOf(session: string): Promise<void> {
  checked.splice(0)
  await eventually(() => expect(checked).toContain(session))
}

describe('a token', () => {
  afterEach(() => void vi.useRealTimers())

  it('closes a channel with a reason when the access token expires', async () => {
    const client = await joinedWith(tokenOfOneMinute())

    passOneMinute()

    expect(await client.nextArray()).toEqual([
      null,
      null,
      'realtime:a',
      'system',
      {
        extension: 'system',
        status: 'error',
        message: expect.stringMatching(/^Token has expired \d seconds ago$/),
        channel: 'a',
      },
    ])
    expect(await client.nextArray()).toEqual(['1', '1', 'realtime:a', 'phx_close', {}])
  })

  it('keeps a channel open when the client renews the access token in time', async () => {
    const client = await joinedWith(tokenOfOneMinute())
    const renewed = tokenWithClaims({ sub: ME, session_id: 'renewed' })

    client.send(['1', '2', 'realtime:a', 'access_token', { access_token: renewed }])
    await nextCheckOf('renewed')
    passOneMinute()
    await nextCheckOf('renewed')
    await test.sql(`insert into public.notes values (1, '${ME}')`)

    expect(await client.nextArray()).toMatchObject([null, null, 'realtime:a', 'postgres_changes', {}])
  })

  it.each([
    ['forged', 'a.e30.forged', 'Failed to validate JWT signature'],
    ['expired', tokenWithClaims({ exp: 1 }), /^Token has expired/],
  ])('closes a channel when the new access token is %s', async (_, token, message) => {
    const client = await joinedWith(tokenWithClaims({ sub: ME }))

    client.send(['1', '2', 'realtime:a', 'access_token', { access_token: token }])

    const messages: unknown = typeof message === 'string' ? message : expect.stringMatching(message)
    expect(await client.nextArray()).toMatchObject([
      null,
      null,
      'realtime:a',
      'system',
      { status: 'error', message: messages },
    ])
    expect(await client.nextArray()).toEqual(['1', '1', 'realtime:a', 'phx_close', {}])
  })

  it('closes a channel when the access token’s session ends', async () => {
    const client = await joinedWith(tokenWithClaims({ sub: ME, session_id: 'ended' }))

    revoked.add('ended')

    expect(await client.nextArray()).toMatchObject([
      null,
      null,
      'realtime:a',
      'system',
      { message: 'The session has ended' },
    ])
    expect(await client.nextArray()).toEqual(['1', '1', 'realtime:a', 'phx_close', {}])
  })

  it('checks a session again after a check that failed', async () => {
    const client = await joinedWith(tokenWithClaims({ sub: ME, session_id: 'unclear' }))
    uncheckable.add('unclear')
    await eventually(() => expect(test.logged).toMatchObject([{ message: 'Could not check a token' }]))

    uncheckable.delete('unclear')
    revoked.add('unclear')

    expect((await client.nextArray())[4]).toMatchObject({ message: 'The session has ended' })
    test.logged.splice(0)
  })

  it('ignores an API key that a client sends as the new access token', async () => {
    const client = await joinedWith(tokenWithClaims({ sub: ME }))
    await test.sql('truncate public.notes')

    client.send(['1', '2', 'realtime:a', 'access_token', { access_token: KEYS.publishable }])
    await test.sql(`insert into public.notes values (2, '${ME}')`)

    expect(await client.nextArray()).toMatchObject([null, null, 'realtime:a', 'postgres_changes', {}])
  })
})

describe('the official client', () => {
  it('reconnects the client after a server restart and delivers changes again', async () => {
    const another = await test.anotherServer()
    const client = another.client({ sub: ME })
    await client.realtime.setAuth()
    const received = watch(client.channel('lasting'), NOTES)
    await eventually(() => expect(received.system).toHaveLength(1))

    another.dropSockets()
    await eventually(() => expect(received.system).toHaveLength(2))
    await test.sql(`delete from public.notes; insert into public.notes values (3, '${ME}')`)

    await eventually(() => expect(received.changes.map((change) => change.new.id)).toContain(3))
    expect(received.statuses.filter((status) => status === 'SUBSCRIBED')).toHaveLength(2)
  })

  it('reports a refused join to the client as an error with a reason', async () => {
    const client = test.server.client({ exp: 1 })
    await client.realtime.setAuth()
    const received = watch(client.channel('refused'))

    await eventually(() => expect(received.statuses[0]).toBe('CHANNEL_ERROR'))
    expect(received.errors[0]).toMatch(/^InvalidJWTToken: Token has expired/)
  })
})

it('closes the sockets of a process that restarts with the code that makes clients reconnect', async () => {
  const restarting = await test.anotherServer()
  const client = await openSocket(socketUrl(restarting))
  sockets.push(client)

  await restarting.realtime.close()

  expect(await client.closed()).toBe(1012)
})

it('closes a socket that does not read before the unsent messages fill the memory', async () => {
  const small = await test.anotherServer({ limits: { bufferedBytes: 200_000 } })
  const client = new WebSocket(
    `${small.url.replace('http', 'ws')}/realtime/v1/websocket?apikey=${KEYS.publishable}&vsn=2.0.0`,
  )
  await new Promise((resolve) => client.once('open', resolve))
  const closed = new Promise((resolve) => client.once('close', resolve))
  client.send(JSON.stringify(['1', '1', 'realtime:flood', 'phx_join', { config: {} }]))
  await new Promise((resolve) => client.once('message', resolve))
  client.pause()

  const large = JSON.stringify({ text: 'x'.repeat(200_000) })
  await eventually(async () => {
    const statement = `select realtime.send($1, 'flood', 'flood', false) from generate_series(1, 20)`
    await test.sql(statement, [large])
    expect(test.logged).toMatchObject([{ message: 'Closed a socket that reads too slowly' }])
  })
  client.resume()
  await closed
  test.logged.splice(0)
})
