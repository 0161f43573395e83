import { afterAll, beforeAll, expect, it } from 'vitest'

import { eventually, KEYS, openRealtime, type TestRealtime } from '../testing/open-realtime.ts'
import { openSocket, type TestSocket } from '../testing/open-socket.ts'

let test: TestRealtime

beforeAll(async () => {
  test = await openRealtime(`
    create policy open on realtime.messages to anon using (true) with check (true);
    create function public.wait_for_test() returns trigger language plpgsql as
      $$ begin perform pg_advisory_xact_lock_shared(1); return new; end $$;
    create trigger wait_for_test before insert on realtime_feed.presences
      for each row execute function public.wait_for_test()`)
})
afterAll(() => test.close())

const socket = () =>
  openSocket(`${test.server.url}/realtime/v1/websocket?apikey=${KEYS.publishable}&vsn=2.0.0`)

async function join(client: TestSocket, key: string, topic = 'realtime:room'): Promise<void> {
  const config = { private: true, presence: { key, enabled: true } }
  client.send(['1', '1', topic, 'phx_join', { config }])
  expect(await client.nextArray()).toMatchObject(['1', '1', topic, 'phx_reply', { status: 'ok' }])
  expect(await client.nextArray()).toMatchObject([null, null, topic, 'presence_state', {}])
}

const track = (client: TestSocket, topic = 'realtime:room') =>
  client.send(['1', '2', topic, 'presence', { type: 'presence', event: 'track', payload: {} }])

it('records no presence for a socket that closes while its right to be present is checked', async () => {
  const [leaving, staying] = [await socket(), await socket()]
  await join(leaving, 'leaving')
  await join(staying, 'staying')
  const { owner } = test.database
  const held = await Promise.all(Array.from({ length: owner.options.max }, () => owner.connect()))

  track(leaving)
  await leaving.close()
  track(staying)
  for (const connection of held) connection.release()

  const present = () => test.sql('select key from realtime_feed.presences order by key')
  await eventually(async () => expect(await present()).toContainEqual({ key: 'staying' }))
  expect(await present()).toEqual([{ key: 'staying' }])
  await staying.close()
})

it('removes the presence of a socket that closes while the presence is inserted', async () => {
  const [leaving, staying] = [await socket(), await socket()]
  await join(leaving, 'leaving', 'realtime:other')
  const inserts = await test.database.owner.connect()
  await inserts.query('select pg_advisory_lock(1)')
  track(leaving, 'realtime:other')
  const waiting = `select from pg_stat_activity where datname = current_database() and wait_event = 'advisory'`
  await eventually(async () => expect(await test.sql(waiting)).toHaveLength(1))

  await leaving.close()
  await join(staying, 'staying', 'realtime:other')
  await inserts.query('select pg_advisory_unlock(1)')
  inserts.release()

  for (const change of ['joins', 'leaves'])
    expect(await staying.nextArray()).toMatchObject([
      null,
      null,
      'realtime:other',
      'presence_diff',
      { [change]: { leaving: {} } },
    ])
  expect(await test.sql(`select key from realtime_feed.presences where topic = 'other'`)).toEqual([])
  await staying.close()
})
