import { CreateMultipartUploadCommand, S3Client, UploadPartCommand } from '@aws-sdk/client-s3'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'

import { whyWithoutS3Server } from '#backend/testing/s3-server.ts'
import { startSwift, type SwiftServer, unfinishedUploads } from '#backend/testing/swift-server.ts'
import { openFiles } from '../files/open-files.ts'
import type { S3Settings } from './s3-settings.ts'

const HOUR_MS = 3_600_000

const reason = whyWithoutS3Server()
let server: SwiftServer
let settings: S3Settings
beforeEach(({ skip }) => {
  if (reason) skip(reason)
})
beforeAll(async () => {
  if (reason) return
  server = await startSwift()
  settings = await server.createS3Bucket()
})
afterAll(() => server?.stop())

/** Begins an upload in parts and sends one, as a process does that is killed then. */
async function leaveUpload(key: string): Promise<void> {
  const { endpoint, region, bucket, ...access } = settings
  const client = new S3Client({ region, endpoint: endpoint ?? '', forcePathStyle: true, credentials: access })
  const target = { Bucket: bucket, Key: key }
  const { UploadId } = await client.send(new CreateMultipartUploadCommand(target))
  await client.send(new UploadPartCommand({ ...target, UploadId, PartNumber: 1, Body: 'bytes' }))
  client.destroy()
}

/** More than two parts. */
async function* broken() {
  for (let megabyte = 0; megabyte < 12; megabyte += 1) yield Buffer.alloc(1024 * 1024)
  throw new Error('the connection broke')
}

it('removes the parts that a killed process left in the bucket, and keeps those of running uploads', async () => {
  await leaveUpload('objects/aa/left')
  const files = await openFiles({ dataDir: '/nowhere', s3: settings }, { error: () => undefined })

  await files.sweepUnfinished(new Date(Date.now() - HOUR_MS))
  expect(await unfinishedUploads(settings)).toEqual(['objects/aa/left'])

  await files.sweepUnfinished(new Date(Date.now() + HOUR_MS))
  expect(await unfinishedUploads(settings)).toEqual([])
  expect(await Array.fromAsync(files.keys('objects'))).toEqual([])
})

it('removes the parts of an upload that breaks off', async () => {
  const files = await openFiles({ dataDir: '/nowhere', s3: settings }, { error: () => undefined })

  await expect(files.write('objects/bb/broken', broken())).rejects.toThrow('the connection broke')

  expect(await unfinishedUploads(settings)).toEqual([])
  expect(await files.find('objects/bb/broken')).toBeNull()
})
