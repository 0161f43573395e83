import type { PoolClient } from 'pg'
import { afterAll, afterEach, beforeAll, expect, it, onTestFinished, vi } from 'vitest'

import { asNumber, selectValue } from '#backend/database/select-rows.ts'
import { eventually, KEYS, openRealtime, type TestRealtime } from '../testing/open-realtime.ts'
import { openSocket, type TestSocket } from '../testing/open-socket.ts'

/** Takes PostgreSQL more than half a second to compile. */
const SLOW = '((a?){30}){30}'

let test: TestRealtime
const sockets: TestSocket[] = []

beforeAll(async () => {
  test = await openRealtime(`
    create table public.photos (id int primary key, title text);
    grant select on public.photos to anon;
    alter publication supabase_realtime add table public.photos`)
})
afterAll(() => test.close())
afterEach(async () => {
  await Promise.all(sockets.splice(0).map((each) => each.close()))
  expect(test.logged).toEqual([])
})

/** Sends a join with these filters and returns the status and message that end it. */
async function joinWith(filters: string[]): Promise<string> {
  const socket = await openSocket(
    `${test.server.url}/realtime/v1/websocket?apikey=${KEYS.publishable}&vsn=2.0.0`,
  )
  sockets.push(socket)
  const changes = filters.map((filter) => ({ event: '*', schema: 'public', table: 'photos', filter }))
  socket.send(['1', '1', 'realtime:a', 'phx_join', { config: { postgres_changes: changes } }])
  expect(await socket.nextArray()).toMatchObject(['1', '1', 'realtime:a', 'phx_reply', { status: 'ok' }])
  return JSON.stringify((await socket.nextArray())[4])
}

/** Returns how many connections of the database compile a pattern now. */
function compiling(client: PoolClient): Promise<number> {
  return selectValue(client, asNumber, [
    `select count(*)::int from pg_stat_activity
     where datname = current_database() and state = 'active' and query like '%'''' ~ $%' and pid <> pg_backend_pid()`,
  ])
}

it('keeps the database connections of all others free while one visitor’s sockets subscribe with slow filters', async () => {
  const client = await test.database.owner.connect()
  const joins = Array.from({ length: 5 }, () => joinWith([`title=match.${SLOW}`]))
  const areJoined = Promise.all(joins).then(() => true)

  let most = 0
  do most = Math.max(most, await compiling(client))
  while (!(await Promise.race([areJoined, Promise.resolve(false)])))
  client.release()

  expect(most).toBe(1)
})

it('does not retry a subscription whose pattern takes too long to compile', async () => {
  const message = await joinWith([`title=match.${SLOW}`])

  expect(message).toMatch(/"error".*The patterns of these filters take too long/)
})

it('ends a subscription whose patterns take too long together', async () => {
  const patterns = Array.from({ length: 100 }, (_, number) => `title=imatch.${number}(a?){255}`)

  expect(await joinWith(patterns)).toMatch(/"error".*The patterns of these filters take too long/)
})

it('subscribes with a pattern while every query waits a second for a connection of the database', async () => {
  const { owner } = test.database
  const realNow = performance.now.bind(performance)
  let waitedMs = 0
  vi.spyOn(performance, 'now').mockImplementation(() => realNow() + waitedMs)
  onTestFinished(() => void vi.restoreAllMocks())
  const held = await Promise.all(Array.from({ length: owner.options.max }, () => owner.connect()))
  const messages: string[] = []
  const joining = joinWith(['title=match.^a']).then((message) => messages.push(message))

  while (messages.length === 0) {
    await eventually(() => expect(messages.length + owner.waitingCount).toBeGreaterThan(0))
    waitedMs += 1_000
    // Takes the connection back after one query.
    const next = owner.connect()
    held.pop()?.release()
    held.push(await next)
  }

  for (const connection of held) connection.release()
  await joining
  expect(messages[0]).toMatch(/"ok".*Subscribed to PostgreSQL/)
})

it('refuses a subscription with more conditions than pages need', async () => {
  const filter = Array.from({ length: 101 }, () => 'id=gt.0').join(',')

  expect(await joinWith([filter, filter])).toMatch(/"error".*too many conditions/)
})
