import { once } from 'node:events'
import { createServer, request as send, type ServerResponse } from 'node:http'
import { afterEach, expect, it } from 'vitest'

import { shedLoad } from '#server/overload.ts'

/**
 * The attack: one account, made by anyone without a mail, sends more calls at once than the shop works on. Its own calls wait for each
 * other in the process, and meanwhile the calls of every other visitor are refused.
 */
const AT_ONCE = 8
const waiting: ServerResponse[] = []
const server = createServer(
  shedLoad((_request, response) => void waiting.push(response), {
    maxConcurrent: AT_ONCE,
    networkOf: ({ socket }) => socket.remoteAddress ?? null,
  }),
)

afterEach(() => {
  server.closeAllConnections()
  server.close()
})

/** The status of a refusal; null while the call is worked on. */
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

it('lets other addresses in while one address has filled the shop', async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const bound = server.address()
  const port = typeof bound === 'object' ? (bound?.port ?? 0) : 0
  for (let calls = 0; calls < AT_ONCE; calls += 1) {
    // oxlint-disable-next-line no-await-in-loop -- each fills one more place
    expect(await call(port, '127.0.0.2')).toBeNull()
  }

  expect(await call(port, '127.0.0.2')).toBe(503)
  expect(await call(port, '127.0.0.3')).toBeNull()
})
