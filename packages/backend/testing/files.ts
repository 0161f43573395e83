import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject } from 'vitest'

import { filesOf, openFiles } from '#backend/storage/files/open-files.ts'
import type { FileStore } from '#backend/storage/files/file-store.ts'
import type { S3Settings } from '#backend/storage/s3/s3-settings.ts'

export interface TestFiles {
  files: FileStore
  /** Scratch space of the test. */
  dataDir: string
  /** Options with which the package's command stores its files here. */
  options: string[]
  /** Returns the keys of stored and half-written files. */
  keys(): Promise<string[]>
  close(): Promise<void>
}

/** Creates an empty file store: a folder, or with `STORAGE_DRIVER=s3` a bucket. */
export async function openTestFiles(): Promise<TestFiles> {
  const dataDir = await mkdtemp(join(tmpdir(), 'storage-'))
  const server = inject('s3')
  const place = server
    ? await openBucket({ ...server, bucket: `test-${randomUUID()}` })
    : { ...folderOf(dataDir), unfinished: () => Array.fromAsync(filesOf(dataDir).keys('unfinished')) }
  return {
    ...place,
    dataDir,
    keys: async () => [
      ...(await Array.fromAsync(place.files.keys('objects'))),
      ...(await place.unfinished()),
    ],
    close: () => rm(dataDir, { recursive: true }),
  }
}

function folderOf(dataDir: string) {
  return { files: filesOf(dataDir), options: ['--data-dir', dataDir] }
}

async function openBucket(s3: S3Settings) {
  const { createS3Bucket, unfinishedUploads } = await import('./swift-server.ts')
  await createS3Bucket(s3)
  return {
    files: await openFiles({ dataDir: '/nowhere', s3 }, { error: () => undefined }),
    options: Object.entries({
      's3-bucket': s3.bucket,
      's3-endpoint': s3.endpoint ?? '',
      'aws-access-key-id': s3.accessKeyId,
      'aws-secret-access-key': s3.secretAccessKey,
    }).flatMap(([name, value]) => [`--${name}`, value]),
    unfinished: () => unfinishedUploads(s3),
  }
}
