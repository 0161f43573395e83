import { randomUUID } from 'node:crypto'
import {
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
} from '@aws-sdk/client-s3'

import { FileStoreProblem } from '../files/file-store-problem.ts'
import { type Bucket, PROMPT } from './bucket.ts'
import { requestProblem } from './s3-problem.ts'
import { addressOfServer } from './s3-settings.ts'

/** Servers refuse a difference of fifteen minutes. */
const MAX_CLOCK_LEAD_MS = 5 * 60_000

/** Lists, writes, reads and removes. Throws a FileStoreProblem that says what is wrong and what to do. */
export async function requireBucket({ client, settings, clockLeadMs }: Bucket): Promise<void> {
  const Bucket = settings.bucket
  const file = { Bucket, Key: `check/${randomUUID()}` }
  try {
    // A list, because its errors tell the reason; those of HEAD have no body.
    await client.send(new ListObjectsV2Command({ Bucket, MaxKeys: 1 }), PROMPT)
    requireRightClock(clockLeadMs(), addressOfServer(settings))
    await client.send(new PutObjectCommand({ ...file, Body: 'check' }), PROMPT)
    const answer = await client.send(new GetObjectCommand(file), PROMPT)
    // An unread answer would keep its connection, and a command would not end for a minute.
    await answer.Body?.transformToByteArray()
    await client.send(new DeleteObjectCommand(file), PROMPT)
  } catch (error) {
    if (error instanceof FileStoreProblem) throw error
    throw new FileStoreProblem(requestProblem(error, settings), { cause: error })
  }
}

function requireRightClock(leadMs: number, server: string): void {
  if (Math.abs(leadMs) <= MAX_CLOCK_LEAD_MS) return
  const minutes = Math.round(Math.abs(leadMs) / 60_000)
  throw new FileStoreProblem(
    `this machine's clock is ${minutes} minutes ${leadMs > 0 ? 'ahead of' : 'behind'} that of the S3 server ${server}: set it, for example by timedatectl set-ntp true`,
  )
}
