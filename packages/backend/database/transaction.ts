import type { Pool, PoolClient } from 'pg'

import { requestSetting } from '#backend/http/request-context.ts'
import { runPipeline, type Statement, type TextRow } from './pipeline.ts'

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
    await runPipeline(client, [BEGIN, ...requestStatements(), ...opening])
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

function requestStatements(): Statement[] {
  return Object.entries(requestSetting()).map((setting) => ({
    text: 'select set_config($1, $2, true)',
    values: setting,
  }))
}

/** Rolls back whether `work` returns or throws. `begin` may set the transaction's settings as well. */
export async function inRolledBackTransaction<T>(
  pool: Pool,
  begin: string,
  work: (client: PoolClient) => Promise<T>,
): Promise<T> {
  const client = await pool.connect()
  let broken: Error | undefined
  try {
    await client.query(begin)
    return await work(client)
  } finally {
    await client.query('rollback').catch((error: Error) => {
      broken = error
    })
    client.release(broken)
  }
}

/** Sends the statements in one transaction. Destroys the connection after an error that ends it. */
export async function runInPool(pool: Pool, statements: Statement[], variant?: string): Promise<TextRow[][]> {
  const client = await pool.connect()
  let broken: Error | undefined
  try {
    return await runPipeline(client, statements, variant)
  } catch (error) {
    if (isConnectionLost(error)) broken = error
    throw error
  } finally {
    client.release(broken)
  }
}

/**
 * Returns whether a connection is unusable after an error: one of the driver, or one with which PostgreSQL ended the connection. A
 * service's own refusal has a `status` and leaves the connection usable.
 */
export function isConnectionLost(error: unknown): error is Error {
  if (!(error instanceof Error)) return false
  if (!('severity' in error)) return !('status' in error)
  return error.severity === 'FATAL' || error.severity === 'PANIC'
}
