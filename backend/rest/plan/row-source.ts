import { undefinedColumn, undefinedType } from '../errors.ts'
import type { Field, JsonStep } from '../request/field.ts'
import { bind, fromCatalogue, identifier, sql, type Sql } from '../sql.ts'
import type { Column, Name, Relation, Schema } from '../schema/model.ts'

/** Where rows come from: a relation, what a write returns of it, or a function's result. */
export interface RowSource extends Name {
  columns: ReadonlyMap<string, Column>
  computedColumns: ReadonlySet<string>
}

export function sourceOf({ schema, name, columns, computedColumns }: Relation): RowSource {
  return { schema, name, columns, computedColumns }
}

/** `alias."column"`, after looking the column up. */
export function columnOf(source: RowSource, alias: Sql, name: string): Sql {
  if (!source.columns.has(name) && !source.computedColumns.has(name)) {
    throw undefinedColumn(`${source.name}.${name}`)
  }
  return sql`${alias}.${identifier(name)}`
}

/** A column and the way into its JSON. Columns of other types are seen as JSON first. */
export function fieldOf(source: RowSource, alias: Sql, { name, path }: Field): Sql {
  const column = columnOf(source, alias, name)
  if (path.length === 0) return column
  const type = source.columns.get(name)?.type
  const json = type === 'json' || type === 'jsonb' ? column : sql`to_jsonb(${column})`
  return path.reduce((value, step) => intoJson(value, step), json)
}

function intoJson(value: Sql, { arrow, key }: JsonStep): Sql {
  const operand = key.kind === 'index' ? sql`${bind(key.text)}::int` : sql`${bind(key.text)}::text`
  return arrow === '->' ? sql`${value}->${operand}` : sql`${value}->>${operand}`
}

/** A field with a way into JSON is named after the last key on it: `data->items->0` is `items`. */
export function outputName({ name, path }: Field): string {
  return path.findLast(({ key }) => key.kind === 'key')?.key.text ?? name
}

export function castTo(value: Sql, type: string, { castTypes }: Schema): Sql {
  const known = castTypes.get(type.toLowerCase()) ?? castTypes.get(type)
  if (known === undefined) throw undefinedType(type)
  return sql`cast(${value} as ${fromCatalogue(known)})`
}
