import type { MediaType } from '../request/media-type.ts'
import { identifier, internal, sql, type Sql } from '../sql.ts'
import { SCALAR } from './call.ts'
import { PAGE } from './statement.ts'

/** The response's form unless the client requests a single object. */
export type BodyShape = 'rows' | 'one row' | 'scalars' | 'one scalar'

/** SQL that produces the response body, so that PostgreSQL formats dates, numbers and nulls. */
export function bodyOf(shape: BodyShape, { kind, stripsNulls }: MediaType): Sql {
  if (kind === 'csv') return CSV
  const item = shape === 'scalars' || shape === 'one scalar' ? sql`${PAGE}.${identifier(SCALAR)}` : PAGE
  const isOne = kind === 'object' || shape === 'one row' || shape === 'one scalar'
  const aggregate = isOne ? sql`(json_agg(${item})->0)` : sql`json_agg(${item})`
  const stripped = stripsNulls ? sql`json_strip_nulls(${aggregate})` : aggregate
  return isOne ? sql`coalesce(${stripped}, 'null')` : sql`coalesce(${stripped}, '[]')`
}

/** A row's text format is CSV in parentheses. The header is the first row's keys. */
const KEY = internal('key')
const CSV = sql`(
    coalesce((array_agg((select string_agg(${KEY}, ',') from json_object_keys(row_to_json(${PAGE})) as ${KEY})))[1], '')
    || E'\n'
    || coalesce(string_agg(substring(${PAGE}::text, 2, length(${PAGE}::text) - 2), E'\n'), '')
  )`
