/** A read tree → one select. Embedded relations are lateral joins, which run with the caller's own privileges. */

import type { OrderTerm } from '../request/order.ts'
import type { ColumnPair, Schema } from '../schema/model.ts'
import { bind, identifier, internal, join, list, nothing, sql, type Sql } from '../sql.ts'
import { condition } from './filter.ts'
import { findEmbed, isHoisted, ROWS, type EmbedNode, type ReadNode } from './read-tree.ts'
import { columnOf, fieldOf } from './row-source.ts'
import { isEmpty, outputNames, selectedItems } from './selected-items.ts'

/** A row of an embed, before aggregation. */
const ROW = internal('row')

export interface RootSource {
  schema: Schema
  /** The relation, or the common table expression with the rows. */
  from: Sql
}

export function selectTree(root: ReadNode, { schema, from }: RootSource): Sql {
  return selectFrom(root, { schema, from, conditions: [] })
}

/** Selects all rows that match the root's filters, ignoring the requested range. */
export function selectForCount(root: ReadNode, { schema, from }: RootSource): Sql {
  return matching(root, { schema, from, conditions: [] })
}

/** Selects a node's rows without output columns; joins only the embeds that its filters mention. */
function matching(node: ReadNode, { schema, from, conditions }: NodeSource): Sql {
  const asExists = node.embeds.filter(
    (embed) => embed.isInner && isUnlimited(embed) && !isFiltered(node, embed),
  )
  const joined = node.embeds.filter(
    (embed) => !asExists.includes(embed) && (embed.isInner || isFiltered(node, embed)),
  )
  const all = [...conditions, ...asExists.map((embed) => existsCondition(embed, node, schema))]
  return sql`select 1 from ${from} as ${node.alias}${joins(joined, node, schema)}${where(node, all)}`
}

/**
 * Equivalent to an inner join, but the planner can start from either side: it finds few matching rows of a large table through the other
 * table's index.
 */
function existsCondition(embed: EmbedNode, parent: ReadNode, schema: Schema): Sql {
  return sql`exists (${matching(embed, { schema, ...joinSource(embed, parent) })})`
}

/** Whether the embed's range cannot turn existing rows into none. */
function isUnlimited({ range }: EmbedNode): boolean {
  return range.offset === 0 && range.limit !== 0
}

interface NodeSource {
  schema: Schema
  from: Sql
  conditions: Sql[]
  /** A to-one spread with aggregates, which the parent's rows group. */
  isPart?: boolean
}

function selectFrom(node: ReadNode, { schema, from, conditions, isPart = false }: NodeSource): Sql {
  const gathered = node.embeds.filter((embed) => embed.isInner && !embed.isToOne && isUnlimited(embed))
  const all = [...conditions, ...gathered.map((embed) => existsCondition(embed, node, schema))]
  const joined = node.embeds.filter(
    (embed) => !gathered.includes(embed) || !isEmpty(embed) || isFiltered(node, embed),
  )
  const { items, groupBy } = selectedItems(node, { schema, isPart })
  const selected = items.length > 0 ? list(items) : sql`1 as "exists"`
  return sql`select ${selected} from ${from} as ${node.alias}${joins(joined, node, schema)}${where(
    node,
    all,
  )}${groupBy}${orderBy(node)}${limit(node)}`
}

function joins(embeds: EmbedNode[], parent: ReadNode, schema: Schema): Sql {
  return join(
    embeds.map((embed) => joinOf(embed, parent, schema)),
    '',
  )
}

function joinOf(embed: EmbedNode, parent: ReadNode, schema: Schema): Sql {
  const rows = selectFrom(embed, { schema, ...joinSource(embed, parent), isPart: isHoisted(embed) })
  const kind = embed.isInner ? sql`inner` : sql`left`
  const alias = embed.joinAlias
  if (embed.isToOne) return sql` ${kind} join lateral (${rows}) as ${alias} on true`
  if (embed.isSpread) return sql` ${kind} join lateral (${spreadRows(embed, rows)}) as ${alias} on true`

  const gathered = sql`select json_agg(${ROW}.*) as ${ROWS} from (${rows}) as ${ROW}`
  const on = embed.isInner ? sql`${alias}.${ROWS} is not null` : sql`true`
  return sql` ${kind} join lateral (${gathered}) as ${alias} on ${on}`
}

/** A to-many spread returns an array per column. */
function spreadRows(embed: EmbedNode, rows: Sql): Sql {
  const columns = outputNames(embed).map(
    (name) => sql`coalesce(json_agg(${ROW}.${identifier(name)}), '[]') as ${identifier(name)}`,
  )
  const marker = sql`json_agg(1) as ${ROWS}`
  const having = embed.isInner ? sql` having count(*) > 0` : nothing
  return sql`select ${list([...columns, marker])} from (${rows}) as ${ROW}${having}`
}

function joinSource(embed: EmbedNode, parent: ReadNode): Pick<NodeSource, 'from' | 'conditions'> {
  const { relationship } = embed
  const target = identifier(relationship.target.schema, relationship.target.name)
  switch (relationship.cardinality) {
    case 'computed': {
      const { origin } = relationship
      // List the columns explicitly: rows returned by a write no longer have the relation's type.
      const columns = [...parent.source.columns.keys()].map(
        (name) => sql`${parent.alias}.${identifier(name)}`,
      )
      const row = sql`row(${list(columns)})::${identifier(origin.schema, origin.name)}`
      return {
        from: sql`${identifier(relationship.function.schema, relationship.function.name)}(${row})`,
        conditions: [],
      }
    }
    case 'many-to-many': {
      const { junction, originColumns, targetColumns } = relationship
      const between = sql`${identifier(junction.schema, junction.name)} as ${embed.junctionAlias}`
      return {
        from: sql`${between}, ${target}`,
        conditions: [
          ...equalities(originColumns, parent.alias, embed.junctionAlias),
          ...equalities(targetColumns, embed.alias, embed.junctionAlias),
        ],
      }
    }
    case 'many-to-one':
    case 'one-to-many':
    case 'one-to-one':
      return { from: target, conditions: equalities(relationship.columns, parent.alias, embed.alias) }
  }
}

function equalities(pairs: ColumnPair[], originAlias: Sql, otherAlias: Sql): Sql[] {
  return pairs.map(
    ({ origin, other }) => sql`${otherAlias}.${identifier(other)} = ${originAlias}.${identifier(origin)}`,
  )
}

function where(node: ReadNode, conditions: Sql[]): Sql {
  const all = [...conditions, ...node.filters.map((filter) => condition(node, filter))]
  return all.length > 0 ? sql` where ${join(all, ' and ')}` : nothing
}

function orderBy(node: ReadNode): Sql {
  if (node.order.length === 0) return nothing
  return sql` order by ${list(node.order.map((term) => orderTerm(node, term)))}`
}

function orderTerm(node: ReadNode, { relation, field, direction, nulls }: OrderTerm): Sql {
  const embed = relation === null ? undefined : findEmbed(node, relation)
  const value = embed ? embeddedColumn(embed, field.name) : fieldOf(node.source, node.alias, field)
  const directed = direction === null ? value : direction === 'asc' ? sql`${value} asc` : sql`${value} desc`
  if (nulls === null) return directed
  return nulls === 'first' ? sql`${directed} nulls first` : sql`${directed} nulls last`
}

/** Only columns that the embed selects are visible outside it. */
function embeddedColumn(embed: EmbedNode, name: string): Sql {
  if (outputNames(embed).includes(name)) return sql`${embed.joinAlias}.${identifier(name)}`
  return columnOf({ ...embed.source, columns: new Map(), computedColumns: new Set() }, embed.joinAlias, name)
}

function limit({ range }: ReadNode): Sql {
  const rows = range.limit === null ? nothing : sql` limit ${bind(String(range.limit))}`
  return range.offset === 0 ? rows : sql`${rows} offset ${bind(String(range.offset))}`
}

function isFiltered(node: ReadNode, embed: EmbedNode): boolean {
  const names = new Set([embed.name, embed.relationship.target.name])
  const mentions = (filters: ReadNode['filters']): boolean =>
    filters.some((filter) =>
      filter.kind === 'group' ? mentions(filter.members) : names.has(filter.field.name),
    )
  return mentions(node.filters)
}
