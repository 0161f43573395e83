import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { listenToChannel } from '#backend/database/listen-to-channel.ts'
import { type DatabasePools, openDatabase } from '#backend/database/pool.ts'
import { whyUnavailable } from '#backend/database/unavailable.ts'
import { bareDatabase, type TestDatabase } from '#backend/testing/database.ts'
import { type DatabaseProxy, startDatabaseProxy } from '#backend/testing/database-proxy.ts'
import { isDatabaseUrl } from './addresses.ts'
import { CurrentServer } from './current-server.ts'

let test: TestDatabase
beforeAll(async () => {
  test = await bareDatabase()
})
afterAll(() => test.close())

let first: DatabaseProxy
let second: DatabaseProxy
let database: DatabasePools
beforeEach(async () => {
  first = await startDatabaseProxy(test.url)
  second = await startDatabaseProxy(test.url)
  const address = test.url.replace(/@[^/]+/, `@${first.host},${second.host}`)
  database = openDatabase(`${address}?target_session_attrs=read-write`, { apiConnections: 3 })
  return async () => {
    await database.close()
    await Promise.all([first.stop().catch(() => undefined), second.stop()])
  }
})

async function portOfServer(): Promise<string> {
  const client = await database.api.connect()
  try {
    return String(client.port)
  } finally {
    client.release()
  }
}

/** Queries until one succeeds; every failure must be one that services answer with 503. */
async function queryUntilAnswered(): Promise<void> {
  await expect
    .poll(
      async () => {
        const error = await database.api.query('select 1').then(
          () => null,
          (reason: unknown) => reason,
        )
        return error === null ? 'answered' : whyUnavailable(error)
      },
      { interval: 20 },
    )
    .toBe('answered')
}

it('moves pools and listeners to the second server when the first one ends', async () => {
  const news: string[] = []
  const stopping = new AbortController()
  let listened = 0
  const listener = listenToChannel(database, {
    channel: 'failover',
    onNotification: (payload) => news.push(payload),
    onListening: () => (listened += 1),
    onLost: () => undefined,
    signal: stopping.signal,
  })
  await expect.poll(() => listened).toBe(1)
  await database.api.query('select 1')

  await first.stop()
  await queryUntilAnswered()
  expect(await portOfServer()).toBe(second.host.split(':')[1])
  await expect.poll(() => listened).toBe(2)
  await database.owner.query(`notify failover, 'still here'`)
  await listener.catchUp()

  expect(news).toEqual(['still here'])
  stopping.abort()
})

it('ends queries that wait for a server whose machine is gone, and goes on with another', async (context) => {
  if (process.env.TEST_RUN !== 'long') context.skip('takes five seconds: in the long run only')
  await database.api.query('select 1')
  const waiting = database.api.query('select pg_sleep(15)').catch((error: unknown) => whyUnavailable(error))

  first.freeze()
  expect(await waiting).toBe('lost')
  await queryUntilAnswered()
})

it('ends connections to a server that became read-only, and goes on when it can be written again', async () => {
  const name = new URL(test.url).pathname.slice(1)
  const { owner } = test.database
  await owner.query(`alter database ${name} set default_transaction_read_only = on`)
  const refused = await database.api.query('select 1').catch((error: unknown) => error)
  await owner.query(`begin read write; alter database ${name} reset default_transaction_read_only; commit`)

  expect(String(refused)).toContain('The database server is read-only')
  expect(whyUnavailable(refused)).toBe('lost')
  await queryUntilAnswered()
})

it('ends queries of connections to the former server once another one is chosen', async () => {
  const [from, to] = [first, second].map(({ host }) => test.url.replace(/@[^/]+/, `@${host}`))
  const server = new CurrentServer(from ?? '')
  const ServerClient = server.clientClass()
  const former = new ServerClient()
  await former.connect()
  former.on('error', () => undefined)
  const waiting = former.query('select pg_sleep(3)').catch((error: unknown) => whyUnavailable(error))

  server.use(to ?? '')
  expect(await waiting).toBe('lost')
  const present = new ServerClient()
  await present.connect()
  expect(`127.0.0.1:${present.port}`).toBe(second.host)
  await present.end()
})

it('adds the options of the address to the role of the API’s connections', async () => {
  const settings = openDatabase(`${test.url}?options=-c%20work_mem%3D5MB`)
  try {
    const { rows } = await settings.api.query(
      `select current_user as role, current_setting('work_mem') as memory`,
    )
    expect(rows).toEqual([{ role: 'authenticator', memory: '5MB' }])
  } finally {
    await settings.close()
  }
})

it.each([
  ['postgresql://u:p@one,two:5433/db?target_session_attrs=read-write', true],
  ['postgresql://u:p@[::1]:5432/db', true],
  ['postgresql:///db?host=/run/postgresql', true],
  ['postgresql://u:p@one,two/db?target_session_attrs=standby', false],
  ['postgresql://u:p@one,:x/db', false],
  ['mysql://u:p@one/db', false],
])('tells whether %s is a database address: %s', (address, isValid) => {
  expect(isDatabaseUrl(address)).toBe(isValid)
})
