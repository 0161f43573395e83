import { runPipeline } from '#backend/database/pipeline.ts'
import type { Database } from '#backend/database/pool.ts'
import { becomeCaller, type Caller } from '#backend/http/caller.ts'
import { bind, fromCatalogue, identifier, join, literal, sql, toStatement } from '#backend/rest/sql.ts'

import type { Relation } from './relation.ts'

/** A policy that takes longer hides the row: whoever waits behind it has waited enough. */
const TIMEOUT_MS = 3_000

/**
 * Which of these rows the caller may see, asked of PostgreSQL as the caller: one round trip for any number of rows and
 * of people whose token says the same. `keys` are JSON objects with the primary key; the answer holds their positions.
 */
export async function visibleRows(
  database: Database,
  { relation, caller, keys }: { relation: Relation; caller: Caller; keys: string[] },
): Promise<Set<number>> {
  const client = await database.api.connect()
  let broken: Error | undefined
  try {
    const settings = { statement_timeout: String(TIMEOUT_MS) }
    const statements = [becomeCaller(caller, { isReadOnly: true, settings }), rowsThatExist(relation, keys)]
    const [, rows = []] = await runPipeline(client, statements, caller.role)
    return new Set(rows.map(([position]) => Number(position) - 1))
  } catch (error) {
    if (error instanceof Error && !('severity' in error)) broken = error
    throw error
  } finally {
    client.release(broken)
  }
}

function rowsThatExist({ schema, name, key, columns }: Relation, keys: string[]) {
  const same = key.map((part) => {
    const type = columns.find((column) => column.name === part)?.sqlType ?? 'text'
    return sql`t.${identifier(part)} = (wanted.key ->> ${literal(part)})::${fromCatalogue(type)}`
  })
  return toStatement(sql`
    select wanted.position from json_array_elements(${bind(`[${keys.join(',')}]`)}::json) with ordinality as wanted(key, position)
    where exists (select from ${identifier(schema, name)} as t where ${join(same, ' and ')})`)
}
