import { afterAll, beforeAll, expect, it } from 'vitest'

import { eventually, KEYS, openRealtime, type TestRealtime } from '../testing/open-realtime.ts'
import { openSocket, type TestSocket } from '../testing/open-socket.ts'

let test: TestRealtime

beforeAll(async () => {
  test = await openRealtime('create policy open on realtime.messages to anon using (true) with check (true)')
})
afterAll(() => test.close())

const socket = () =>
  openSocket(`${test.server.url}/realtime/v1/websocket?apikey=${KEYS.publishable}&vsn=2.0.0`)

async function join(client: TestSocket, key: string): Promise<void> {
  const config = { private: true, presence: { key } }
  client.send(['1', '1', 'realtime:room', 'phx_join', { config }])
  expect(await client.nextArray()).toMatchObject(['1', '1', 'realtime:room', 'phx_reply', { status: 'ok' }])
}

const track = (client: TestSocket) =>
  client.send(['1', '2', 'realtime:room', 'presence', { type: 'presence', event: 'track', payload: {} }])

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
