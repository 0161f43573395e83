import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { text as readAll } from 'node:stream/consumers'
import { afterEach, expect, it } from 'vitest'
import { createWebServer } from './listen.ts'

const MEBIBYTE = 1024 * 1024

const responses: ServerResponse[] = []
const server = createWebServer(
  async (incoming, response) => {
    const { url = '' } = incoming
    responses.push(response)
    await readAll(incoming)
    response.end('x'.repeat(Number(url.slice(1)) * MEBIBYTE))
  },
  { trustProxy: 0 },
)
afterEach(() => {
  server.closeAllConnections()
  server.close()
})

/** Requests a response of so many megabytes, and reads none of it before `resume`. */
async function request(megabytes: number): Promise<Socket> {
  const address = server.address()
  const client = connect(typeof address === 'object' && address ? address.port : 0, '127.0.0.1').pause()
  client.on('error', () => undefined)
  const before = responses.length
  client.write(`GET /${megabytes} HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n`)
  await expect.poll(() => responses[before]?.writableEnded).toBe(true)
  return client
}

const unsentBytes = () => responses.reduce((sum, { writableLength }) => sum + writableLength, 0)
const openResponses = () => responses.filter(({ destroyed }) => !destroyed).length

it('closes the connections with the most unsent bytes, and leaves small responses to slow readers', async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const slow = await request(10)
  for (let count = 0; count < 10; count += 1) await request(20)

  await expect.poll(unsentBytes).toBeLessThan(128 * MEBIBYTE)

  expect(openResponses()).toBeGreaterThan(5)
  const whole = readAll(slow)
  slow.resume()
  expect((await whole).length).toBeGreaterThan(10 * MEBIBYTE)
})
