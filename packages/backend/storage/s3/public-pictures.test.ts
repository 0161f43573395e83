import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Hono } from 'hono'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'

import { loadClientKeys } from '#backend/auth/keys/client-keys.ts'
import { createTokenVerifier } from '#backend/auth/keys/token-verifier.ts'
import { bareDatabase, type TestDatabase } from '#backend/testing/database.ts'
import { whyWithoutS3Server } from '#backend/testing/s3-server.ts'
import { startSwift, type SwiftServer } from '#backend/testing/swift-server.ts'
import { createStorage } from '../create-storage.ts'
import type { FileStore } from '../files/file-store.ts'
import { openFiles } from '../files/open-files.ts'
import { seedBucket } from '../seed-bucket.ts'
import type { S3Settings } from './s3-settings.ts'

const PICTURE = 'object/public/site/lure.jpg'
const SMALL = 'render/image/public/site/lure.jpg?width=20'

const reason = whyWithoutS3Server()
let server: SwiftServer
let test: TestDatabase
let settings: S3Settings
let folder: string
beforeEach(({ skip }) => {
  if (reason) skip(reason)
})
beforeAll(async () => {
  if (reason) return
  folder = await mkdtemp(join(tmpdir(), 'pictures-'))
  const photograph = sharp({ create: { width: 40, height: 40, channels: 3, background: 'teal' } })
  await writeFile(join(folder, 'lure.jpg'), await photograph.jpeg().toBuffer())
  await writeFile(join(folder, 'page.txt'), 'text')
  server = await startSwift()
  settings = await server.createS3Bucket()
  test = await bareDatabase()
  const owner = test.database.owner
  await seedBucket({ owner, files: await open() }, { bucket: 'site', folder })
})
afterAll(async () => {
  if (reason) return
  await server.stop()
  await test.close()
  await rm(folder, { recursive: true })
})

const open = (changes: Partial<S3Settings> = {}): Promise<FileStore> =>
  openFiles({ dataDir: '/nowhere', s3: { ...settings, ...changes } }, { error: () => undefined })

/** Returns the service of a process of its own. */
async function openService(changes: Partial<S3Settings> = {}) {
  const { database } = test
  const keys = await loadClientKeys(database.owner)
  const verifyToken = createTokenVerifier(database.owner)
  const log = { error: () => undefined }
  const files = await open(changes)
  const app = new Hono().route('/storage/v1', createStorage({ database, files, keys, verifyToken, log }))
  return {
    get: (path: string) => app.request(`/storage/v1/${path}`),
    asServer: (path: string) =>
      app.request(`/storage/v1/${path}`, { headers: { authorization: `Bearer ${keys.secret}` } }),
  }
}

it('shows the pictures and resized pictures that another process has stored', async () => {
  const [first, second] = [await openService(), await openService()]

  const made = await (await first.get(SMALL)).bytes()
  const shown = await second.get(SMALL)

  expect((await sharp(made).metadata()).width).toBe(20)
  expect(Buffer.from(await shown.bytes()).equals(made)).toBe(true)
  expect(shown.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  const files = await open()
  expect(
    (await Array.fromAsync(files.keys('derivatives'))).filter((key) => key.includes('/20x')),
  ).toHaveLength(1)
})

it.each([PICTURE, SMALL])(
  'refers browsers to a signed address for %s, equal for all in the hour',
  async (path) => {
    const { get } = await openService({ publicFiles: 'signed' })

    const [answer, again] = [await get(path), await get(path)]
    const address = answer.headers.get('location') ?? ''
    const picture = await fetch(address)

    expect(answer.status).toBe(302)
    expect(again.headers.get('location')).toBe(address)
    expect(picture.status).toBe(200)
    expect(picture.headers.get('content-type')).toBe('image/jpeg')
    expect((await sharp(await picture.bytes()).metadata()).format).toBe('jpeg')
  },
)

it.each([PICTURE, SMALL])('refers browsers to the address of a CDN for %s', async (path) => {
  const { get } = await openService({ publicFiles: 'redirect', publicUrl: 'https://cdn.example/files/' })

  const { status, headers } = await get(path)

  expect(status).toBe(302)
  expect(headers.get('location')).toMatch(/^https:\/\/cdn\.example\/files\/derivatives\/[\da-f-]{36}\//)
  expect(headers.get('cache-control')).toBe('public, max-age=3600')
})

it.each([
  'object/site/lure.jpg',
  'render/image/authenticated/site/lure.jpg?width=20',
  'object/site/page.txt',
])('sends %s itself, because not everyone may read it', async (path) => {
  const { asServer } = await openService({ publicFiles: 'redirect' })

  const answer = await asServer(path)

  expect(answer.status).toBe(200)
  await answer.body?.cancel()
})

it.each([`${PICTURE}?download=lure.jpg`, 'object/public/site/page.txt'])(
  'sends %s itself, with headers that the bucket does not send',
  async (path) => {
    const { get } = await openService({ publicFiles: 'signed' })

    const answer = await get(path)

    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-security-policy')).toContain('sandbox')
    await answer.body?.cancel()
  },
)

it('answers 503 for pictures while the S3 server hangs, within seconds', async () => {
  const { get } = await openService()
  server.suspend()
  const start = performance.now()

  const answer = await get(PICTURE)
  const next = await get(SMALL)
  server.resume()

  expect([answer.status, next.status]).toEqual([503, 503])
  expect(answer.headers.get('retry-after')).toBe('10')
  expect(await answer.json()).toMatchObject({
    code: 'ServiceUnavailable',
    message: expect.stringContaining('file storage'),
  })
  expect(performance.now() - start).toBeLessThan(15_000)
})
