import type { Pool } from 'pg'

import { runPipeline, type Statement } from '#backend/database/pipeline.ts'

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
  const client = await owner.connect()
  let broken: Error | undefined
  try {
    await runPipeline(client, [ASYNC_COMMIT, ...statements, NOTIFY])
  } catch (error) {
    if (error instanceof Error && !('severity' in error)) broken = error
    throw error
  } finally {
    client.release(broken)
  }
}
