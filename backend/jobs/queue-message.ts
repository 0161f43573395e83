import type { PoolClient } from 'pg'

/** A code that could not be sent within its own lifetime is worth nothing afterwards. */
const TRIES = 8

/**
 * A mail or text that a job sends: written in the transaction that made its code, tried again when the other side is
 * down. So an answer takes as long whether or not there was somebody to write to.
 */
export async function queueMessage(client: PoolClient, task: string, message: object): Promise<void> {
  await client.query('select graphile_worker.add_job($1, payload => $2, max_attempts => $3)', [
    task,
    JSON.stringify(message),
    TRIES,
  ])
}
