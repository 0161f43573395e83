import { once } from 'node:events'
import { createServer, request as send, type RequestListener, type Server } from 'node:http'
import { connect } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { shedLoad } from './overload.ts'

const CALL = '/rest/v1/orders'

let server: Server
let waiting: (() => void)[]

async function open(listener: RequestListener): Promise<string> {
  server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return typeof address === 'object' ? `http://127.0.0.1:${address?.port}` : ''
}

/** Starts a server with a limit of two calls, which finish when the test says so. */
function openBusy(): Promise<string> {
  waiting = []
  return open(
    shedLoad((_request, response) => void waiting.push(() => response.end('done')), { maxConcurrent: 2 }),
  )
}

async function untilReceived(count: number): Promise<void> {
  await expect.poll(() => waiting.length).toBe(count)
}

afterEach(() => {
  server.closeAllConnections()
  server.close()
})

it('rejects calls above the concurrency limit at once with a Retry-After header', async () => {
  const url = await openBusy()
  const first = [fetch(url + CALL), fetch(url + CALL)]
  await untilReceived(2)

  const refused = await fetch(url + CALL, { method: 'POST', body: '{}' })

  expect(refused.status).toBe(503)
  expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0)
  expect(refused.headers.get('Cache-Control')).toBe('no-store')
  expect(refused.headers.get('Transfer-Encoding')).toBeNull()
  expect(Number(refused.headers.get('Content-Length'))).toBeGreaterThan(0)
  expect(await refused.json()).toMatchObject({ code: 'overloaded' })
  for (const finish of waiting) finish()
  expect(await Promise.all(first.map(async (response) => (await response).text()))).toEqual(['done', 'done'])
})

it.each(['/%72est/v1/orders', '/rest/%761/orders', '/%73torage/v1/bucket'])(
  'counts a call to %s, whose service the router decodes',
  async (path) => {
    const url = await openBusy()
    const first = [fetch(url + path), fetch(url + path)]
    await untilReceived(2)

    expect((await fetch(url + path)).status).toBe(503)
    for (const finish of waiting) finish()
    await Promise.all(first)
  },
)

it('sends a page before the orders that arrived with it', async () => {
  const begun: string[] = []
  const url = await open(
    shedLoad(({ url: path = '' }, response) => {
      begun.push(path)
      response.end()
    }),
  )
  const { port } = new URL(url)
  const socket = connect(Number(port), '127.0.0.1')
  await once(socket, 'connect')

  // One packet: the server reads all of them in the same turn.
  const order = 'POST /rest/v1/rpc/place_order'
  const requests = [order, order, order, 'GET /products']
  socket.end(requests.map((line) => `${line} HTTP/1.1\r\nHost: shop\r\nContent-Length: 0\r\n\r\n`).join(''))
  await expect.poll(() => begun.length).toBe(4)

  expect(begun[0]).toBe('/products')
})

it('accepts the next call when a running call finishes', async () => {
  const url = await openBusy()
  const first = [fetch(url + CALL), fetch(url + CALL)]
  await untilReceived(2)
  for (const finish of waiting) finish()
  await Promise.all(first)

  const next = fetch(url + CALL)
  await untilReceived(3)

  waiting.at(-1)?.()
  expect((await next).status).toBe(200)
})

it('accepts new calls when waiting visitors disconnect', async () => {
  const url = await openBusy()
  const leaving = new AbortController()
  const gone = [0, 1].map(() => fetch(url + CALL, { signal: leaving.signal }).catch(() => null))
  await untilReceived(2)
  leaving.abort()
  await Promise.all(gone)

  await expect
    .poll(async () => {
      const response = fetch(url + CALL)
      await Promise.race([response, expect.poll(() => waiting.length).toBeGreaterThan(2)])
      waiting.at(-1)?.()
      return (await response).status
    })
    .toBe(200)
})

it('does not count incomplete requests towards the concurrency limit', async () => {
  const url = await openBusy()
  const slow = [0, 1].map(() => {
    const request = send(url + CALL, { method: 'POST', headers: { 'Content-Length': 10 } })
    request.on('error', () => {})
    request.write('{')
    return request
  })
  await untilReceived(2)

  const next = fetch(url + CALL)

  await untilReceived(3)
  waiting.at(-1)?.()
  expect((await next).status).toBe(200)
  for (const request of slow) request.destroy()
})

it.each([
  'GET /storage/v1/bucket',
  'POST /storage/v1/object/list/gallery',
  'DELETE /storage/v1/object/gallery',
])('rejects %s, which is no file, above the concurrency limit', async (request) => {
  waiting = []
  const url = await open(
    shedLoad(
      (call, response) => {
        if (call.url === CALL) waiting.push(() => response.end('done'))
        else response.end('handled')
      },
      { maxConcurrent: 2 },
    ),
  )
  const first = [fetch(url + CALL), fetch(url + CALL)]
  await untilReceived(2)

  const [method, path] = request.split(' ')
  const { status } = await fetch(`${url}${path}`, { method })

  expect(status).toBe(503)
  for (const finish of waiting) finish()
  await Promise.all(first)
})

it.each([
  'POST /',
  'POST /auth/forgot-password',
  'GET /assets/a.js',
  'GET /storage/v1/object/public/gallery/a.jpg',
  'POST /storage/v1/object/gallery/a.jpg',
  'POST /payments/payfast/notice',
  'GET /healthz',
  'GET /readyz',
])('never rejects %s under load', async (request) => {
  const url = await openBusy()
  const first = [fetch(url + CALL), fetch(url + CALL)]
  await untilReceived(2)

  const [method, path] = request.split(' ')
  const response = fetch(`${url}${path}`, { method })

  await untilReceived(3)
  for (const finish of waiting) finish()
  expect((await response).status).toBe(200)
  await Promise.all(first)
})
