import type { PoolClient } from 'pg'

import { currentRequestId } from '#backend/http/request-context.ts'

/** Covers about the lifetime of a code: sending an expired code is pointless. */
const MAX_ATTEMPTS = 8

/**
 * Queues a mail or text message in the transaction that creates its code; the job retries when the receiving server is down.
 * Sending in a job also prevents a timing attack: the response time does not reveal whether the account exists.
 */
export async function queueMessage(client: PoolClient, task: string, message: object): Promise<void> {
  await client.query('select graphile_worker.add_job($1, payload => $2, max_attempts => $3)', [
    task,
    JSON.stringify({ ...message, requestId: currentRequestId() }),
    MAX_ATTEMPTS,
  ])
}
