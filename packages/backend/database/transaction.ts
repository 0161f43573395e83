import type { Pool, PoolClient } from 'pg'

import { runPipeline, type Statement } from './pipeline.ts'

const BEGIN: Statement = { text: 'begin', values: [] }

/**
 * Commits when `work` returns, rolls back when it throws. Destroys a connection whose rollback fails. Sends `opening` together
 * with `begin`.
 */
export async function inTransaction<T>(
  pool: Pool,
  work: (client: PoolClient) => Promise<T>,
  opening: Statement[] = [],
): Promise<T> {
  const client = await pool.connect()
  let broken: Error | undefined
  try {
    await runPipeline(client, [BEGIN, ...opening])
    const result = await work(client)
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback').catch((rollbackError: Error) => {
      broken = rollbackError
    })
    throw error
  } finally {
    client.release(broken)
  }
}
