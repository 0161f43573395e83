import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createWebServer } from './listen.ts'

const UUID = /^[\da-f-]{36}$/
const named = ['x-request-id', 'from-the-service']

/** Ways to write a response's headers, by the path that uses them. */
const ways: Record<string, (response: ServerResponse) => unknown> = {
  '/implicit': (response) => response.end(),
  '/object': (response) => response.writeHead(200, { 'Content-Type': 'text/plain' }).end(),
  '/list': (response) => response.writeHead(200, ['Content-Type', 'text/plain']).end(),
  '/message': (response) => response.writeHead(200, 'Fine', { 'Content-Type': 'text/plain' }).end(),
  '/set-before': (response) => response.setHeader('Content-Type', 'text/plain').writeHead(200).end(),
  '/named-value': (response) =>
    response.writeHead(200, ['Access-Control-Expose-Headers', 'x-request-id']).end(),
  '/named': (response) => response.writeHead(200, named).end(),
}

const server = createWebServer(
  (request, response) => {
    const write = ways[request.url ?? '']
    if (write) write(response)
    else response.end(String(request.url?.length))
  },
  { trustProxy: 0 },
)
let origin: string
beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
})
afterAll(() => server.close())

it.each([16, 32, 40])('passes a URL of %i KiB to the services', async (kibibytes) => {
  const path = '/'.padEnd(kibibytes * 1024, 'x')

  const answer = await fetch(origin + path)

  expect(answer.status).toBe(200)
  expect(await answer.text()).toBe(String(path.length))
})

it.each(Object.keys(ways).filter((path) => path !== '/named'))(
  'names the request once in a response whose headers are written like %s',
  async (path) => {
    const { headers } = await fetch(origin + path)

    expect(headers.get('x-request-id')).toMatch(UUID)
  },
)

it('keeps the name that a service has given to its request', async () => {
  expect((await fetch(`${origin}/named`)).headers.get('x-request-id')).toBe('from-the-service')
})
