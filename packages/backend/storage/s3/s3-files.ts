import { HeadBucketCommand } from '@aws-sdk/client-s3'

import { FileStoreProblem } from '../files/file-store-problem.ts'
import type { FileStore } from '../files/file-store.ts'
import { type Bucket, openBucket, PROMPT } from './bucket.ts'
import { publicAddressOf } from './public-address.ts'
import { requireBucket } from './require-bucket.ts'
import { s3Objects } from './s3-objects.ts'
import { s3Partial } from './s3-partial.ts'
import { requestProblem } from './s3-problem.ts'
import type { S3Settings } from './s3-settings.ts'
import type { Log } from '#backend/process/log.ts'

/** A check relies on requests that succeeded in this time. */
const RECENT_MS = 30_000

/** Stores files in a bucket. Throws a FileStoreProblem when the bucket cannot be used. */
export async function openS3Files(
  settings: S3Settings,
  log: Pick<Log, 'error'>,
  { isChecked }: { isChecked: boolean },
): Promise<FileStore> {
  const bucket = openBucket(settings, log)
  if (!isChecked) await requireBucket(bucket)
  const objects = s3Objects(bucket)
  return {
    kind: 's3',
    ...objects,
    partial: s3Partial(objects),
    // The provider's storage has no end that concerns the database.
    requireSpace: async () => {},
    publicAddress: publicAddressOf(bucket),
    check: () => check(bucket),
  }
}

async function check({ client, settings, answeredAt }: Bucket): Promise<void> {
  if (performance.now() - answeredAt() < RECENT_MS) return
  try {
    await client.send(new HeadBucketCommand({ Bucket: settings.bucket }), PROMPT)
  } catch (error) {
    throw new FileStoreProblem(requestProblem(error, settings), { cause: error })
  }
}
