import { createHash } from 'node:crypto'

import type { Pool, PoolClient } from 'pg'

/**
 * Prepares each distinct statement once per connection of the pool. Otherwise a test that runs the same few statements tens of
 * thousands of times spends half of the database's time on planning.
 */
export function prepareStatements(pool: Pool): void {
  const prepared = new WeakSet<PoolClient>()
  pool.on('acquire', (client) => {
    if (prepared.has(client)) return
    prepared.add(client)
    const query: (...given: unknown[]) => unknown = client.query.bind(client)
    Object.assign(client, {
      query: (statement: unknown, ...rest: unknown[]) =>
        typeof statement === 'string' && Array.isArray(rest[0])
          ? query({ name: nameOf(statement), text: statement, values: rest[0] }, ...rest.slice(1))
          : query(statement, ...rest),
    })
  })
}

const names = new Map<string, string>()

function nameOf(statement: string): string {
  const name = names.get(statement) ?? createHash('md5').update(statement).digest('hex')
  names.set(statement, name)
  return name
}
