import { request } from 'node:http'
import { createAdaptorServer } from '@hono/node-server'
import { Hono } from 'hono'
import { afterAll, beforeAll, expect, inject, it, vi } from 'vitest'

import { loadClientKeys, type ClientKeys } from '#backend/auth/keys/client-keys.ts'
import { createTokenVerifier } from '#backend/auth/keys/token-verifier.ts'
import { bareDatabase, type TestDatabase } from '#backend/testing/database.ts'
import { openTestFiles, type TestFiles } from '#backend/testing/files.ts'
import { usedMemory } from '#backend/testing/used-memory.ts'
import { createStorage } from './create-storage.ts'

const MEGABYTE = 1024 * 1024
/** An S3 server takes longer than a disk. */
const WAIT = { timeout: 30_000 }
/** For S3, parts of 5 MB wait in memory until they are sent, in several copies. */
const MEMORY = inject('s3') ? 60 : 40
/** One shared block, so that the test measures the service's memory. */
const block = Buffer.alloc(MEGABYTE, 'salt')

let test: TestDatabase
let keys: ClientKeys
let stored: TestFiles
let port: number
const app = new Hono()
// Its own Response would reach the next test file of the process.
const server = createAdaptorServer({ fetch: app.fetch, overrideGlobalObjects: false })

beforeAll(async () => {
  test = await bareDatabase()
  const { database } = test
  keys = await loadClientKeys(database.owner)
  stored = await openTestFiles()
  await database.owner.query(
    `insert into storage.buckets (id, name, public) values ('videos', 'videos', true)`,
  )
  const verifyToken = createTokenVerifier(database.owner)
  const log = { error: () => undefined }
  app.route('/storage/v1', createStorage({ database, files: stored.files, keys, verifyToken, log }))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (typeof address !== 'object' || !address) throw new Error('not listening')
  port = address.port
})
afterAll(async () => {
  server.close()
  await test.close()
  await stored.close()
})

function startUpload(path: string, headers: Record<string, string | number>) {
  return request({
    port,
    method: 'POST',
    path: `/storage/v1/object/videos/${path}`,
    headers: { authorization: `Bearer ${keys.secret}`, ...headers },
  })
}

it.each([
  ['raw', {}, '', ''],
  [
    'as a form',
    { 'content-type': 'multipart/form-data; boundary=x' },
    '--x\r\nContent-Disposition: form-data; name=""; filename="video"\r\nContent-Type: application/octet-stream\r\n\r\n',
    '\r\n--x--\r\n',
  ],
])(
  'stores an upload of 95 MB (%s) with a few megabytes of memory',
  async (...[name, headers, head, tail]) => {
    const upload = startUpload(encodeURIComponent(name), {
      'content-type': 'application/octet-stream',
      ...headers,
    })
    const answered = new Promise<number>((resolve, reject) => {
      upload.on('response', (answer) => resolve(answer.resume().statusCode ?? 0)).on('error', reject)
    })
    const before = usedMemory()
    let peak = 0
    upload.write(head)
    for (let sent = 0; sent < 95; sent += 1) {
      const hasRoom = upload.write(block)
      if (!hasRoom) await new Promise((resolve) => upload.once('drain', resolve))
      if (sent % 10 === 0) peak = Math.max(peak, usedMemory() - before)
    }
    upload.end(tail)

    expect(await answered).toBe(200)
    expect(peak / MEGABYTE).toBeLessThan(MEMORY)
    const down = await fetch(
      `http://127.0.0.1:${port}/storage/v1/object/public/videos/${encodeURIComponent(name)}`,
      {
        headers: { range: `bytes=${94 * MEGABYTE}-` },
      },
    )
    expect(down.status).toBe(206)
    expect(Buffer.from(await down.arrayBuffer()).equals(block)).toBe(true)
  },
)

it.each<Record<string, number>>([{}, { 'content-length': 101 * MEGABYTE }])(
  'refuses an upload of more than 100 MB with the headers %j',
  async (headers) => {
    const before = await stored.keys()
    const upload = startUpload('too-large', { 'content-type': 'application/octet-stream', ...headers })
    const answered = new Promise<number | string>((resolve) => {
      upload.on('response', (answer) => resolve(answer.resume().statusCode ?? 0))
      // The server responded and closed the connection during the upload.
      upload.on('error', () => resolve('hung up'))
    })
    upload.setMaxListeners(200)
    for (let sent = 0; sent < 101 && !upload.destroyed; sent += 1) {
      if (!upload.write(block)) {
        await Promise.race([new Promise((resolve) => upload.once('drain', resolve)), answered])
      }
    }
    upload.end()

    expect([400, 'hung up']).toContain(await answered)
    expect(await stored.keys()).toEqual(before)
  },
)

it('removes an upload’s bytes when the connection breaks', async () => {
  const before = await stored.keys()
  const upload = startUpload('cut', {
    'content-type': 'application/octet-stream',
    'content-length': 20 * MEGABYTE,
  })
  upload.on('error', () => undefined)
  // More than a part, so that an S3 server has some as well.
  for (let sent = 0; sent < 12; sent += 1) upload.write(block)
  await vi.waitFor(async () => expect(await stored.keys()).toHaveLength(before.length + 1), WAIT)

  upload.destroy()

  await vi.waitFor(async () => expect(await stored.keys()).toEqual(before), WAIT)
})
