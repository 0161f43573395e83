import { once } from 'node:events'
import { createServer, request as send, type Server, type ServerResponse } from 'node:http'
import { afterEach, expect, it } from 'vitest'

import { shedLoad } from '#server/overload.ts'

/**
 * The attack: one account, created without a mailbox, sends more concurrent calls than the shop processes. Its calls wait in
 * the process, and meanwhile the shop rejects the calls of all other visitors.
 */
const AT_ONCE = 8
const waiting: ServerResponse[] = []
let server: Server

/** Returns the server's port. */
async function openServer(): Promise<number> {
  waiting.length = 0
  server = createServer(
    shedLoad((_request, response) => void waiting.push(response), {
      maxConcurrent: AT_ONCE,
      networkOf: ({ socket }) => socket.remoteAddress ?? null,
    }),
  )
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const bound = server.address()
  return typeof bound === 'object' ? (bound?.port ?? 0) : 0
}

afterEach(() => {
  server.closeAllConnections()
  server.close()
})

/** The status of a rejected call; null while the call runs. */
function call(port: number, localAddress: string): Promise<number | null> {
  const { promise, resolve } = Promise.withResolvers<number | null>()
  const before = waiting.length
  send({ host: '127.0.0.1', port, localAddress, path: '/rest/v1/orders' }, (answer) => {
    resolve(answer.statusCode ?? 0)
  })
    .on('error', () => undefined)
    .end()
  void expect
    .poll(() => waiting.length)
    .toBe(before + 1)
    .then(
      () => resolve(null),
      () => undefined,
    )
  return promise
}

it('serves other network addresses while one address uses all of the allowed concurrent calls', async () => {
  const port = await openServer()
  for (let calls = 0; calls < AT_ONCE; calls += 1) {
    // oxlint-disable-next-line no-await-in-loop -- each call uses one more slot
    expect(await call(port, '127.0.0.2')).toBeNull()
  }

  expect(await call(port, '127.0.0.2')).toBe(503)
  expect(await call(port, '127.0.0.3')).toBeNull()
})

it('rejects every call when twice the limit of calls is running, whatever their addresses', async () => {
  const port = await openServer()
  // Below the share of one network each: the first sixteen run.
  for (let calls = 0; calls < 2 * AT_ONCE; calls += 1) {
    // oxlint-disable-next-line no-await-in-loop -- each call uses one more slot
    expect(await call(port, `127.0.1.${calls + 1}`)).toBeNull()
  }

  expect(await call(port, '127.0.2.1')).toBe(503)
})
