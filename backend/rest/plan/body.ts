import type { MediaType } from '../request/media-type.ts'
import { identifier, internal, sql, type Sql } from '../sql.ts'
import { SCALAR } from './call.ts'
import { PAGE } from './statement.ts'

/** What a page of rows looks like in the answer when no single object is asked for. */
export type Shape = 'rows' | 'one row' | 'scalars' | 'one scalar'

/** The answer's body, written by PostgreSQL: dates, numbers and nulls are then as it writes them. */
export function bodyOf(shape: Shape, { kind, stripsNulls }: MediaType): Sql {
  if (kind === 'csv') return CSV
  const item = shape === 'scalars' || shape === 'one scalar' ? sql`${PAGE}.${identifier(SCALAR)}` : PAGE
  const isOne = kind === 'object' || shape === 'one row' || shape === 'one scalar'
  const aggregate = isOne ? sql`(json_agg(${item})->0)` : sql`json_agg(${item})`
  const stripped = stripsNulls ? sql`json_strip_nulls(${aggregate})` : aggregate
  return isOne ? sql`coalesce(${stripped}, 'null')` : sql`coalesce(${stripped}, '[]')`
}

/** A row's own text form is CSV in round brackets. The header is the first row's keys. */
const KEY = internal('key')
const CSV = sql`(
    coalesce((array_agg((select string_agg(${KEY}, ',') from json_object_keys(row_to_json(${PAGE})) as ${KEY})))[1], '')
    || E'\n'
    || coalesce(string_agg(substring(${PAGE}::text, 2, length(${PAGE}::text) - 2), E'\n'), '')
  )`
