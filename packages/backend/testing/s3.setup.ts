import type { TestProject } from 'vitest/node'

import type { S3Settings } from '#backend/storage/s3/s3-settings.ts'
import { startSwift } from './swift-server.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Of the server for the storage tests; null runs them on the disk. */
    s3: S3Settings | null
  }
}

/** With `STORAGE_DRIVER=s3`, starts the S3 server that the storage tests store their files in. */
// oxlint-disable-next-line import/no-default-export -- Vitest asks for it
export default async function setUp(project: TestProject) {
  if (process.env.STORAGE_DRIVER !== 's3') {
    project.provide('s3', null)
    return undefined
  }
  const server = await startSwift()
  project.provide('s3', await server.createS3Bucket())
  return server.stop
}
