import { Client } from 'pg'

import { DatabaseProblem } from './problem.ts'

/** Throws, with a sentence for the operator, when nothing at that address takes a query. */
export async function requireAnswer(url: string): Promise<void> {
  const { host } = new URL(url)
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
  try {
    await client.connect()
    await client.query('select 1')
  } catch (error) {
    throw new DatabaseProblem(`the database at ${host} does not answer: ${reasonOf(error)}`, { cause: error })
  } finally {
    await client.end().catch(() => {}) // It may never have been open.
  }
}

/** A refused connection to a name with two addresses is an AggregateError without a message of its own. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return reasonOf(error.errors[0])
  return error instanceof Error ? error.message : String(error)
}
