import { columnNotFound } from '../errors.ts'
import type { Payload } from '../request/payload.ts'
import type { Column, Relation } from '../schema/model.ts'
import { bind, fromCatalogue, identifier, internal, list, literal, sql, type Sql } from '../sql.ts'

/** Returns the columns that the body names. Throws PGRST204 for an unknown one. */
export function payloadColumns({ keys }: Payload, relation: Relation): Column[] {
  return keys.map((key) => {
    const column = relation.columns.get(key)
    if (!column) throw columnNotFound(key, relation.name)
    return column
  })
}

export interface PayloadPlan {
  relation: Relation
  payload: Payload
  /** Missing members become the column's default instead of null. */
  fillsDefaults: boolean
  alias: Sql
  returning: Sql
}

export interface PayloadRows extends Pick<PayloadPlan, 'payload' | 'fillsDefaults' | 'alias'> {
  columns: Pick<Column, 'name' | 'type' | 'default'>[]
}

/** The body as a row source. PostgreSQL parses the JSON, so that errors about values are its own. */
export function payloadRows({ payload, columns, alias, fillsDefaults }: PayloadRows): Sql {
  const { isArray, json } = payload
  const body = bind(json)
  if (columns.length === 0)
    return isArray ? sql`json_array_elements(${body}::json)` : sql`(values (1)) as ${internal('one')}`

  const types = columns.map(({ name, type }) => sql`${identifier(name)} ${fromCatalogue(type)}`)
  const shape = sql`as ${alias}(${list(types)})`
  if (!fillsDefaults) {
    return isArray
      ? sql`json_to_recordset(${body}::json) ${shape}`
      : sql`json_to_record(${body}::json) ${shape}`
  }
  const defaults = columns.flatMap(({ name, default: expression }) =>
    expression === null ? [] : [sql`${literal(name)}, ${fromCatalogue(expression)}`],
  )
  const filled = (row: Sql) => sql`jsonb_to_record(jsonb_build_object(${list(defaults)}) || ${row}) ${shape}`
  if (!isArray) return filled(sql`${body}::jsonb`)
  const element = internal('element')
  return sql`jsonb_array_elements(${body}::jsonb) as ${element}, ${filled(element)}`
}
