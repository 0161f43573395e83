import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'

import { KEYS, openRealtime, type TestRealtime, type TestServer } from '../testing/open-realtime.ts'
import { openSocket, type TestSocket } from '../testing/open-socket.ts'

let test: TestRealtime
const sockets: TestSocket[] = []

beforeAll(async () => {
  test = await openRealtime('')
})
afterAll(() => test.close())
afterEach(async () => {
  await Promise.all(sockets.splice(0).map((each) => each.close()))
  expect(test.logged.splice(0)).toEqual([])
})

const urlOf = ({ url }: TestServer) => `${url}/realtime/v1/websocket?apikey=${KEYS.publishable}&vsn=2.0.0`

async function socket(server = test.server): Promise<TestSocket> {
  const opened = await openSocket(urlOf(server))
  sockets.push(opened)
  return opened
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
