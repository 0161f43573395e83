/** The select list and its `group by`. */

import type { SelectedField } from '../request/select.ts'
import type { Schema } from '../schema/model.ts'
import { identifier, internal, list, nothing, columnPlace, sql, type Sql } from '../sql.ts'
import { isAggregated, isHoisted, ROWS, type EmbedNode, type ReadNode } from './read-tree.ts'
import { castTo, fieldOf, outputName } from './row-source.ts'

interface ItemContext {
  schema: Schema
  /** The parent's rows aggregate; this select only provides the values. */
  isPart: boolean
}

interface SelectedItems {
  items: Sql[]
  groupBy: Sql
}

export function selectedItems(node: ReadNode, { schema, isPart }: ItemContext): SelectedItems {
  if (!isAggregated(node))
    return { items: [...ownItems(node, schema), ...node.embeds.flatMap(embedItem)], groupBy: nothing }
  const columns = columnsOf(node, schema)
  if (isPart) return { items: columns.map(partItem), groupBy: nothing }
  return { items: columns.map((column) => groupedItem(column, schema)), groupBy: groupBy(columns) }
}

function ownItems(node: ReadNode, schema: Schema): Sql[] {
  const star = node.selectsAll ? [sql`${node.alias}.*`] : []
  return [...star, ...node.fields.map((field) => fieldItem(node, field, schema))]
}

function fieldItem(node: ReadNode, selected: SelectedField, schema: Schema): Sql {
  const { field, cast } = selected
  const value = isBareCount(node, field) ? sql`count(*)` : fieldOf(node.source, node.alias, field)
  const typed = cast === null ? value : castTo(value, cast, schema)
  return sql`${typed} as ${identifier(nameOf(selected))}`
}

function nameOf({ alias, aggregate, field }: SelectedField): string {
  return alias ?? aggregate?.name ?? outputName(field)
}

/**
 * PostgREST passes `count` to PostgreSQL as `films.count` even while aggregates are off, and PostgreSQL evaluates that as `count(films)`
 * unless there is such a column.
 */
function isBareCount({ source }: ReadNode, { name, path }: SelectedField['field']): boolean {
  return (
    name === 'count' && path.length === 0 && !source.columns.has(name) && !source.computedColumns.has(name)
  )
}

function embedItem(embed: EmbedNode): Sql[] {
  const joined = embed.joinAlias
  if (isEmpty(embed)) return []
  if (embed.isSpread && embed.isToOne) return [sql`${joined}.*`]
  if (embed.isSpread) return outputNames(embed).map((name) => sql`${joined}.${identifier(name)}`)
  return [sql`${embeddedJson(embed)} as ${identifier(embed.name)}`]
}

function embeddedJson({ isToOne, joinAlias }: EmbedNode): Sql {
  return isToOne ? sql`row_to_json(${joinAlias}.*)` : sql`coalesce(${joinAlias}.${ROWS}, '[]')`
}

/** `actors()` joins only for its filters and outputs nothing. */
export function isEmpty(node: ReadNode): boolean {
  return !node.selectsAll && node.fields.length === 0 && node.embeds.every(isEmpty)
}

export function outputNames(node: ReadNode): string[] {
  return [
    ...(node.selectsAll ? node.source.columns.keys() : []),
    ...node.fields.map(nameOf),
    ...node.embeds.flatMap((embed) =>
      isEmpty(embed) ? [] : embed.isSpread ? outputNames(embed) : [embed.name],
    ),
  ]
}

/** A column of aggregated rows. */
interface ItemColumn {
  name: string
  value: Sql
  /** JSON has no equality, so rows are grouped by its text. */
  isJson: boolean
  aggregate: SelectedField['aggregate']
}

function columnsOf(node: ReadNode, schema: Schema): ItemColumn[] {
  const star = node.selectsAll ? [...node.source.columns.keys()] : []
  return [
    ...star.map((name) => plain(name, sql`${node.alias}.${identifier(name)}`)),
    ...node.fields.map((field) => fieldColumn(node, field, schema)),
    ...node.embeds.filter((embed) => !isEmpty(embed)).flatMap((embed) => embedColumns(embed, schema)),
  ]
}

function plain(name: string, value: Sql, isJson = false): ItemColumn {
  return { name, value, isJson, aggregate: null }
}

function fieldColumn(node: ReadNode, selected: SelectedField, schema: Schema): ItemColumn {
  const { field, cast, aggregate } = selected
  const name = nameOf(selected)
  if (aggregate?.isOfRows) return { ...plain(name, sql`1`), aggregate }
  if (!aggregate && isBareCount(node, field))
    return { ...plain(name, sql`1`), aggregate: { name: 'count', cast, isOfRows: true } }
  const value = fieldOf(node.source, node.alias, field)
  return { ...plain(name, cast === null ? value : castTo(value, cast, schema)), aggregate }
}

function embedColumns(embed: EmbedNode, schema: Schema): ItemColumn[] {
  const { joinAlias } = embed
  if (!embed.isSpread) return [plain(embed.name, embeddedJson(embed), true)]
  if (isHoisted(embed) && isAggregated(embed)) {
    return columnsOf(embed, schema).map((column, index) => ({
      ...column,
      value: sql`${joinAlias}.${partName(column, index)}`,
    }))
  }
  return outputNames(embed).map((name) => plain(name, sql`${joinAlias}.${identifier(name)}`, !embed.isToOne))
}

/** Aggregates of different spreads may share a name, so they are numbered. Grouped columns keep their names for `order by`. */
function partName({ name, aggregate }: ItemColumn, index: number): Sql {
  return aggregate ? internal(`part${index}`) : identifier(name)
}

function partItem(column: ItemColumn, index: number): Sql {
  return sql`${column.value} as ${partName(column, index)}`
}

const FUNCTIONS: Record<NonNullable<SelectedField['aggregate']>['name'], (value: Sql) => Sql> = {
  avg: (value) => sql`avg(${value})`,
  count: (value) => sql`count(${value})`,
  max: (value) => sql`max(${value})`,
  min: (value) => sql`min(${value})`,
  sum: (value) => sql`sum(${value})`,
}

function groupedItem({ name, value, isJson, aggregate }: ItemColumn, schema: Schema): Sql {
  const result = aggregate ? FUNCTIONS[aggregate.name](value) : isJson ? sql`(array_agg(${value}))[1]` : value
  const typed = aggregate?.cast ? castTo(result, aggregate.cast, schema) : result
  return sql`${typed} as ${identifier(name)}`
}

/** Uses ordinals where possible: a repeated expression with a bound parameter is not the same expression to PostgreSQL. */
function groupBy(columns: ItemColumn[]): Sql {
  const terms = columns.flatMap(({ value, isJson, aggregate }, index) =>
    aggregate ? [] : [isJson ? sql`(${value})::text` : columnPlace(index + 1)],
  )
  return terms.length > 0 ? sql` group by ${list(terms)}` : nothing
}
