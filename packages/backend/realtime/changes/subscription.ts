import { createHash } from 'node:crypto'
import { z } from 'zod'

import type { ChangesRequest } from '../protocol/join-request.ts'
import { FilterError, parseFilter, type Condition } from './filter.ts'
import type { TablePattern } from './published-table.ts'

export const changeKind = z.enum(['insert', 'update', 'delete'])

export type ChangeKind = z.infer<typeof changeKind>

/** The parameters of one `.on('postgres_changes', …)`. */
export interface Watch extends TablePattern {
  /** Null means all three. */
  kind: ChangeKind | null
  conditions: Condition[]
  /** Columns besides the key; null means all. */
  selected: string[] | null
}

/** Throws a `FilterError` for invalid parameters. */
export function parseWatch(request: ChangesRequest): Watch {
  const { schema, table, filter, select } = request
  if (!schema && !table) {
    throw new FilterError(
      'No subscription params provided. Please provide at least a `schema` or `table` to subscribe to',
    )
  }
  if (filter && !table) throw new FilterError('A `filter` needs the `table` it is for')
  const watch = { schema: schema || 'public', table: table || '*', selected: select?.length ? select : null }
  if (watch.selected && (watch.schema === '*' || watch.table === '*')) {
    throw new FilterError(
      'Column selection is not supported for wildcard subscriptions. Provide an explicit schema and table name.',
    )
  }
  return { ...watch, kind: kindOf(request.event), conditions: filter ? parseFilter(filter) : [] }
}

function kindOf(event: string | undefined): ChangeKind | null {
  return changeKind.safeParse(event?.toLowerCase()).data ?? null
}

/** Deterministic: equal requests have the same id on every socket, so one encoded message serves all. */
export function bindingId({ event, schema, table, filter, select }: ChangesRequest): number {
  const text = JSON.stringify([event, schema, table, filter, select])
  return createHash('sha1').update(text).digest().readUInt32BE() >>> 1 || 1
}
