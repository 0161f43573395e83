import type { DatabasePools } from '#backend/database/pool.ts'
import { runInPool } from '#backend/database/transaction.ts'
import { becomeCaller, type Caller } from '#backend/http/caller.ts'
import {
  bind,
  fromCatalogue,
  identifier,
  internal,
  join,
  literal,
  sql,
  toStatement,
} from '#backend/rest/sql.ts'

import type { PublishedTable } from './published-table.ts'

/** A policy that takes longer hides the row, so that it does not delay other subscribers. */
const TIMEOUT_MS = 3_000

/** Viewers per round trip; limited because slow policies block the connection. */
const BATCH_SIZE = 50

/** A caller with the primary keys (JSON objects) of the rows to check. */
export interface Viewer {
  caller: Caller
  keys: string[]
}

/**
 * Runs a query as each viewer and returns the positions of the visible rows, or the error of a failing policy. All viewers must
 * have the same role; callers with equal claims share a viewer.
 */
export async function visibleRows(
  database: DatabasePools,
  relation: PublishedTable,
  viewers: Viewer[],
): Promise<(Set<number> | Error)[]> {
  const results: (Set<number> | Error)[] = []
  for (let start = 0; start < viewers.length; start += BATCH_SIZE) {
    results.push(...(await queryBatch(database, relation, viewers.slice(start, start + BATCH_SIZE))))
  }
  return results
}

async function queryBatch(
  database: DatabasePools,
  relation: PublishedTable,
  viewers: Viewer[],
): Promise<(Set<number> | Error)[]> {
  try {
    return await queryVisibility(database, relation, viewers)
  } catch (error) {
    // Rethrows connection errors, so that the feed retries; only errors of a statement concern a policy.
    if (!(error instanceof Error) || !('severity' in error) || error.severity === 'FATAL') throw error
    if (viewers.length === 1) return [error]
    const half = Math.ceil(viewers.length / 2)
    const first = await queryBatch(database, relation, viewers.slice(0, half))
    return [...first, ...(await queryBatch(database, relation, viewers.slice(half)))]
  }
}

async function queryVisibility(
  database: DatabasePools,
  relation: PublishedTable,
  viewers: Viewer[],
): Promise<Set<number>[]> {
  const settings = { statement_timeout: String(TIMEOUT_MS) }
  const statements = viewers.flatMap(({ caller, keys }) => [
    becomeCaller(caller, { isReadOnly: true, settings }),
    visibleRowsStatement(relation, keys),
  ])
  const results = await runInPool(database.api, statements, viewers[0]?.caller.role)
  return viewers.map((_, index) => new Set(results[index * 2 + 1]?.map(([position]) => Number(position) - 1)))
}

const ROW = internal('row')
const KEYS = internal('wanted')

function visibleRowsStatement({ schema, name, key, columns }: PublishedTable, keys: string[]) {
  const keyConditions = key.map((part) => {
    const type = columns.find((column) => column.name === part)?.sqlType ?? 'text'
    return sql`${ROW}.${identifier(part)} = (${KEYS}.key ->> ${literal(part)})::${fromCatalogue(type)}`
  })
  return toStatement(sql`
    select ${KEYS}.position from json_array_elements(${bind(`[${keys.join(',')}]`)}::json) with ordinality as ${KEYS}(key, position)
    where exists (select from ${identifier(schema, name)} as ${ROW} where ${join(keyConditions, ' and ')})`)
}
