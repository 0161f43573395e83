import { once } from 'node:events'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createWebServer } from './listen.ts'

const server = createWebServer((request, response) => response.end(String(request.url?.length)))
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
