import { once } from 'node:events'
import { createServer, request, type Server } from 'node:http'
import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { afterAll, beforeAll, expect, it } from 'vitest'

import { listenerFor } from './listener.ts'

let server: Server
let port: number

beforeAll(async () => {
  const app = new Hono()
  app.use(bodyLimit({ maxSize: 16, onError: (c) => c.text('too large', 413) }))
  app.post('/', async (c) => c.text(`read ${await c.req.text()}`))
  server = createServer(listenerFor(app.fetch)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  port = typeof address === 'object' && address ? address.port : 0
})
afterAll(() => server.close())

/** Sends the chunks as a stream whose length nobody announced, as proxies and payment providers may. */
async function post(chunks: string[]): Promise<[status: number | undefined, text: string]> {
  const sending = request({ port, method: 'POST', headers: { 'Transfer-Encoding': 'chunked' } })
  for (const chunk of chunks) sending.write(chunk)
  sending.end()
  const [answer] = await once(sending, 'response')
  let text = ''
  for await (const part of answer) text += String(part)
  return [answer.statusCode, text]
}

it.each([
  [
    ['a=', 'b'],
    [200, 'read a=b'],
  ],
  [[], [200, 'read ']],
  [
    ['seventeen', ' letters.'],
    [413, 'too large'],
  ],
])('a body of unknown length is read and limited: %j', async (chunks, answer) => {
  expect(await post(chunks)).toEqual(answer)
})
