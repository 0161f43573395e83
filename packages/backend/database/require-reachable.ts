import { Client } from 'pg'

import { DatabaseProblem } from './database-problem.ts'

/** Throws a DatabaseProblem when the database does not answer a query. */
export async function requireReachable(url: string): Promise<void> {
  const { host } = new URL(url)
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
  try {
    await client.connect()
    await client.query('select 1')
  } catch (error) {
    throw new DatabaseProblem(`the database at ${host} does not answer: ${reasonOf(error)}`, { cause: error })
  } finally {
    await client.end().catch(() => {}) // The connection may never have been open.
  }
}

/** Node throws an AggregateError without a message when a host with two addresses refuses the connection. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return reasonOf(error.errors[0])
  return error instanceof Error ? error.message : String(error)
}
