import type { Pool } from 'pg'

import type { Statement } from '#backend/database/pipeline.ts'
import { runInPool } from '#backend/database/transaction.ts'

import type { FeedMessage } from './read-entries.ts'

export interface WrittenMessage {
  topic: string
  message: FeedMessage
  /** JSON text. */
  payload: string | null
}

const ASYNC_COMMIT: Statement = { text: `select set_config('synchronous_commit', 'off', true)`, values: [] }
const NOTIFY: Statement = { text: `select pg_notify('realtime_feed', '')`, values: [] }

export function messageStatement({ topic, message, payload }: WrittenMessage): Statement {
  return {
    text: `insert into realtime_feed.entries (kind, topic, message, payload) values ('message', $1, $2, $3)`,
    values: [topic, JSON.stringify(message), payload],
  }
}

/** One transaction in one round trip, with asynchronous commit: losing messages in a crash is acceptable, waiting for the disk is not. */
export async function writeToFeed(owner: Pool, statements: Statement[]): Promise<void> {
  await runInPool(owner, [ASYNC_COMMIT, ...statements, NOTIFY])
}

export function messageBytes({ message, payload }: WrittenMessage): number {
  return payload === null ? ((message.bytes?.length ?? 0) * 3) / 4 : Buffer.byteLength(payload)
}
