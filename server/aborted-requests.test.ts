import { once } from 'node:events'
import { createServer, request, type Server } from 'node:http'
import { Hono } from 'hono'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'

import {
  connectionOf,
  type EdgeVariables,
  type ListenerContext,
  listenerFor,
  logRequests,
} from '@saltfreak/backend'
import { logOptions } from '@saltfreak/backend/testing'
import { openShop, type TestShop } from '#test/shop.ts'
import { createApi } from './api.ts'

interface Line {
  level: number
  msg: string
  err?: unknown
}

let shop: TestShop
let server: Server
let lines: Line[]
const responses: Promise<unknown>[] = []
beforeAll(async () => {
  shop = await openShop()
  const log = pino(
    { ...logOptions(), level: 'debug' },
    { write: (line: string) => void lines.push(JSON.parse(line)) },
  )
  const { settings, database, keys, files } = shop
  const api = new Hono<{ Bindings: ListenerContext | undefined; Variables: EdgeVariables }>()
    .use(logRequests(log))
    .route('/', createApi({ settings, database, keys, files, log }))
  const listener = listenerFor((received, { incoming }) => {
    const response = Promise.resolve(api.fetch(received, connectionOf(incoming)))
    responses.push(response)
    return response
  })
  server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
})
beforeEach(() => {
  lines = []
  responses.length = 0
})
afterAll(async () => {
  server.close()
  await shop.close()
})

const TUS = {
  'tus-resumable': '1.0.0',
  'upload-length': '5000',
  'upload-metadata': `bucketName ${btoa('gallery')},objectName ${btoa(`${crypto.randomUUID()}-1.jpg`)},contentType ${btoa('image/jpeg')}`,
}

const REQUESTS: [string, string, Record<string, string>][] = [
  ['a photo', `/storage/v1/object/gallery/${crypto.randomUUID()}-1.jpg`, { 'content-type': 'image/jpeg' }],
  [
    'a form with a photo',
    '/storage/v1/object/gallery/cut2.jpg',
    { 'content-type': 'multipart/form-data; boundary=x' },
  ],
  [
    'a resumable upload',
    '/storage/v1/upload/resumable',
    { ...TUS, 'content-type': 'application/offset+octet-stream' },
  ],
  ['rows', '/rest/v1/contact_submissions', { 'content-type': 'application/json' }],
  ['a call of a database function', '/rest/v1/rpc/search_products', { 'content-type': 'application/json' }],
  [
    'a call of a server function',
    '/functions/v1/send-contact-notification',
    { 'content-type': 'application/json' },
  ],
  ['a sign-in', '/auth/v1/token?grant_type=password', { 'content-type': 'application/json' }],
  ['a payment notice', '/payments/payfast/notice', { 'content-type': 'application/x-www-form-urlencoded' }],
  ['signed addresses', '/storage/v1/object/sign/gallery', { 'content-type': 'application/json' }],
  ['a list of files', '/storage/v1/object/list/gallery', { 'content-type': 'application/json' }],
]

/** Starts of bodies that pass every early check. */
const beginnings: Record<string, string | Buffer> = {
  'image/jpeg': Buffer.from([0xff, 0xd8, 0xff, 0xe0]),
  'multipart/form-data; boundary=x':
    '--x\r\nContent-Disposition: form-data; name="f"; filename="a.jpg"\r\nContent-Type: image/jpeg\r\n\r\nabc',
}

it.for(REQUESTS)('logs no error when the client aborts a request for %s', async ([, path, headers]) => {
  const bound = server.address()
  const port = typeof bound === 'object' ? bound?.port : 0
  const sending = request({
    host: '127.0.0.1',
    port,
    path,
    method: 'POST',
    headers: { apikey: shop.keys.publishable, 'content-length': '5000', ...headers },
  }).on('error', () => undefined)
  sending.write(beginnings[headers['content-type'] ?? ''] ?? '{"a":')
  await expect.poll(() => responses.length).toBe(1)
  sending.destroy()
  await responses[0]

  expect(lines.filter(({ level, err }) => level > 30 || err !== undefined)).toEqual([])
  expect(lines.at(-1)).toMatchObject({ msg: 'request', isAborted: true })
})
