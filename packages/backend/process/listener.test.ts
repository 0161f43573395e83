import { once } from 'node:events'
import { Agent, createServer, request, type Server } from 'node:http'
import { Hono } from 'hono'
import { afterAll, beforeAll, expect, it } from 'vitest'

import { limitBody } from '#backend/http/body.ts'
import type * as TextResponses from '#backend/http/text-response.ts'
import { listenerFor } from './listener.ts'

/** A second copy of the module, like that of a bundle. */
const secondCopy = '../http/text-response.ts?copy'
const { TextResponse }: typeof TextResponses = await import(secondCopy)

const answers = new TextResponse('{"fish":"garrick 🎣"}', {
  status: 201,
  headers: { 'Content-Type': 'application/json', 'Set-Cookie': 'a=1' },
})

let server: Server
let port: number

beforeAll(async () => {
  const app = new Hono()
  app.use(
    '/',
    limitBody(16, (c) => c.text('too large', 413)),
  )
  app.use(
    '/unread',
    limitBody(2_000_000, (c) => c.text('too large', 413)),
  )
  app.post('/unread', (c) => c.text('not found', 404))
  app.post('/', async (c) => c.text(`read ${await c.req.text()}`))
  app.delete('/', (c) => c.body(null, 204))
  app.get('/text', () => {
    answers.headers.append('Set-Cookie', 'b=2')
    return answers
  })
  server = createServer(listenerFor(app.fetch)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  port = typeof address === 'object' && address ? address.port : 0
})
afterAll(() => server.close())

/** Sends the chunks with chunked encoding and without a Content-Length, as some proxies and payment providers do. */
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
])('limits a request body of unknown length: %j', async (chunks, answer) => {
  expect(await post(chunks)).toEqual(answer)
})

it.each(['/', '/unread'])('keeps the connection usable after an unread body at %s', async (path) => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const statusOf = async (asked: string, body: string) => {
    const sending = request({ port, agent, method: 'POST', path: asked }).end(body)
    const [answer] = await once(sending, 'response')
    await once(answer.resume(), 'end')
    return [answer.statusCode, sending.reusedSocket]
  }

  expect(await statusOf(path, 'x'.repeat(1_000_000))).toEqual([path === '/' ? 413 : 404, false])
  expect(await statusOf('/', 'small')).toEqual([200, true])
  agent.destroy()
})

it('responds with 405 to a method that the Request class forbids', async () => {
  const [answer] = await once(request({ port, method: 'TRACE' }).end(), 'response')

  expect(answer.statusCode).toBe(405)
  answer.resume()
})

it('treats a request without a length as a request without a body', async () => {
  const answer = await fetch(`http://127.0.0.1:${port}/`, { method: 'DELETE' })

  expect(answer.status).toBe(204)
})

it.each(['GET', 'HEAD'])(
  'sends a text response with Content-Length and all headers on %s',
  async (method) => {
    const answer = await fetch(`http://127.0.0.1:${port}/text`, { method })

    expect(answer.status).toBe(201)
    expect(answer.headers.get('Content-Length')).toBe('23')
    expect(answer.headers.get('Content-Type')).toBe('application/json')
    expect(answer.headers.getSetCookie().slice(0, 2)).toEqual(['a=1', 'b=2'])
    expect(await answer.text()).toBe(method === 'GET' ? '{"fish":"garrick 🎣"}' : '')
  },
)

it('sends a text response even if other middleware has set a header before', async () => {
  const listener = listenerFor(() => new TextResponse('[]', { headers: { Vary: 'Accept-Encoding' } }))
  const behind = createServer((incoming, outgoing) => {
    outgoing.setHeader('Vary', 'Origin')
    listener(incoming, outgoing)
  }).listen(0, '127.0.0.1')
  await once(behind, 'listening')
  const address = behind.address()
  const answer = await fetch(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`)
  behind.close()

  expect(answer.status).toBe(200)
  expect(answer.headers.get('Vary')).toBe('Accept-Encoding')
  expect(await answer.text()).toBe('[]')
})
