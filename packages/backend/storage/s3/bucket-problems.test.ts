import { once } from 'node:events'
import { createServer } from 'node:http'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'

import { type TestDatabase, bareDatabase } from '#backend/testing/database.ts'
import { freePort } from '#backend/process/free-port.ts'
import { whyWithoutS3Server } from '#backend/testing/s3-server.ts'
import type { SwiftServer } from '#backend/testing/swift-server.ts'
import { claimFiles } from '../files/claim-files.ts'
import { openFiles } from '../files/open-files.ts'
import type { S3Settings } from './s3-settings.ts'

const SETTINGS: S3Settings = {
  bucket: 'files',
  region: 'us-east-1',
  endpoint: null,
  usesPathStyle: true,
  accessKeyId: 'key',
  secretAccessKey: 'secret',
  publicFiles: 'proxy',
  publicUrl: null,
}
const log = { error: () => undefined }

const open = (s3: S3Settings) => openFiles({ dataDir: '/nowhere', s3 }, log)

/** Returns the sentence with which a start fails. */
async function problemOf(s3: S3Settings): Promise<string> {
  const opened = await open(s3).catch((error: unknown) => error)
  return opened instanceof Error ? opened.message : 'it opened'
}

it('names the S3 server that does not answer', async () => {
  const endpoint = `http://127.0.0.1:${await freePort()}`

  expect(await problemOf({ ...SETTINGS, endpoint })).toBe(
    `the S3 server ${endpoint} does not answer (ECONNREFUSED): check S3_ENDPOINT and AWS_REGION, and that this machine may connect to it`,
  )
})

it('names the setting when another server than one for S3 answers', async () => {
  const other = createServer((_, response) => response.writeHead(404).end('<html>')).listen(0, '127.0.0.1')
  await once(other, 'listening')
  const address = other.address()
  const port = typeof address === 'object' ? address?.port : ''
  onTestFinished(() => void other.close())

  const problem = await problemOf({ ...SETTINGS, endpoint: `http://127.0.0.1:${port}` })

  expect(problem).toContain('refuses the bucket files')
  expect(problem).toContain('check S3_ENDPOINT')
})

it('sends the session token of temporary credentials, and says when it has expired', async () => {
  const tokens = new Set<string | string[] | undefined>()
  const server = createServer((request, response) => {
    tokens.add(request.headers['x-amz-security-token'])
    response.writeHead(400).end('<Error><Code>ExpiredToken</Code><Message>Expired</Message></Error>')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : ''
  onTestFinished(() => void server.close())

  const endpoint = `http://127.0.0.1:${port}`
  const problem = await problemOf({ ...SETTINGS, endpoint, sessionToken: 'temporary' })

  expect([...tokens]).toEqual(['temporary'])
  expect(problem).toBe(
    `the S3 server ${endpoint} refuses the session token: renew or unset AWS_SESSION_TOKEN (Expired)`,
  )
})

describe('a real S3 server', () => {
  const reason = whyWithoutS3Server()
  let server: SwiftServer
  let settings: S3Settings
  beforeEach(({ skip }) => {
    if (reason) skip(reason)
  })
  beforeAll(async () => {
    if (reason) return
    const { startSwift } = await import('#backend/testing/swift-server.ts')
    server = await startSwift()
    settings = await server.createS3Bucket()
  })
  afterEach(() => vi.useRealTimers())
  afterAll(() => server?.stop())

  it.each([
    ['secret', () => ({ secretAccessKey: 'wrong' }), 'AWS_SECRET_ACCESS_KEY'],
    ['access key', () => ({ accessKeyId: 'test:nobody' }), 'AWS_ACCESS_KEY_ID'],
    ['bucket', () => ({ bucket: 'missing' }), 'the bucket missing does not exist'],
  ])('names the setting of a wrong %s', async (_, change, words) => {
    const problem = await problemOf({ ...settings, ...change() })

    expect(problem).toContain(words)
    expect(problem).not.toContain('\n')
  })

  it.each([
    [20, 'ahead of'],
    [-20, 'behind'],
    [7, 'ahead of'],
  ])('refuses to start when the clock is %i minutes wrong', async (minutes, words) => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + minutes * 60_000 })

    const problem = await problemOf(settings)

    expect(problem).toContain(`clock is ${Math.abs(minutes)} minutes ${words} that of the S3 server`)
    expect(problem).toContain('timedatectl set-ntp true')
  })

  describe('and two databases', () => {
    let first: TestDatabase
    let second: TestDatabase
    beforeAll(async () => {
      if (reason) return
      first = await bareDatabase()
      second = await bareDatabase()
    })
    afterAll(async () => {
      await first?.close()
      await second?.close()
    })

    it('refuses a bucket that belongs to another database, whose files the sweep would remove', async () => {
      const files = await open(settings)
      await claimFiles(files, first.database.owner)
      await claimFiles(await open(settings), first.database.owner)

      await expect(claimFiles(await open(settings), second.database.owner)).rejects.toThrow(
        'the bucket belongs to another database',
      )
    })
  })

  it('fails reads and writes within seconds while the server hangs, and works again afterwards', async () => {
    const files = await open(settings)
    await files.write('objects/aa/aa-1', Buffer.from('a picture'))
    server.suspend()
    const start = performance.now()

    const asked = await Promise.allSettled([
      files.read('objects/aa/aa-1'),
      files.find('objects/aa/aa-2'),
      files.partial.size('one'),
      files.remove('objects/aa/aa-3'),
    ])

    expect(asked.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected', 'rejected'])
    expect(performance.now() - start).toBeLessThan(20_000)
    await expect(files.find('objects/aa/aa-2')).rejects.toMatchObject({ code: 'ServiceUnavailable' })
    server.resume()
    await vi.waitFor(async () => expect(await files.find('objects/aa/aa-1')).toMatchObject({ size: 9 }), {
      timeout: 10_000,
    })
  })
})
