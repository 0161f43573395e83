import { undefinedColumn, undefinedType } from '../errors.ts'
import type { Field, JsonStep } from '../request/field.ts'
import { bind, fromCatalogue, identifier, sql, type Sql } from '../sql.ts'
import type { Column, QualifiedName, Relation, Schema } from '../schema/model.ts'

/** A relation, the rows returned by a write, or a function's result. */
export interface RowSource extends QualifiedName {
  columns: ReadonlyMap<string, Column>
  computedColumns: ReadonlySet<string>
}

export function sourceOf({ schema, name, columns, computedColumns }: Relation): RowSource {
  return { schema, name, columns, computedColumns }
}

/** Returns `alias."column"`. Throws for an unknown column. */
export function columnOf(source: RowSource, alias: Sql, name: string): Sql {
  if (!source.columns.has(name) && !source.computedColumns.has(name)) {
    throw undefinedColumn(`${source.name}.${name}`)
  }
  return sql`${alias}.${identifier(name)}`
}

/** A column with its JSON path. Columns of other types are converted to JSON first. */
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

/** A field with a JSON path is named after the path's last key: `data->items->0` is `items`. */
export function outputName({ name, path }: Field): string {
  return path.findLast(({ key }) => key.kind === 'key')?.key.text ?? name
}

export function castTo(value: Sql, type: string, { castTypes }: Schema): Sql {
  const known = castTypes.get(type.toLowerCase()) ?? castTypes.get(type)
  if (known === undefined) throw undefinedType(type)
  return sql`cast(${value} as ${fromCatalogue(known)})`
}
