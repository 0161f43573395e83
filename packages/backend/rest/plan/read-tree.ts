/** The query and the schema → a tree of relations to read, with all names resolved. */

import {
  aggregatesNotAllowed,
  aggregatesOfSpreadRows,
  notEmbedded,
  relatedOrderNotToOne,
  repeatedAlias,
} from '../errors.ts'
import type { FilterTree } from '../request/filter.ts'
import type { OrderTerm } from '../request/order.ts'
import type { EmbedPath, Query } from '../request/query.ts'
import { noRange, restrict, type RowRange } from '../request/range.ts'
import type { Embed, SelectedField, SelectItem } from '../request/select.ts'
import { tableNotFound } from '../schema/errors.ts'
import { findRelationship } from '../schema/find-relationship.ts'
import { isToOne, keyOf, type Relationship, type Schema } from '../schema/model.ts'
import { internal, type Sql } from '../sql.ts'
import { sourceOf, type RowSource } from './row-source.ts'

export interface ReadNode {
  source: RowSource
  alias: Sql
  selectsAll: boolean
  fields: SelectedField[]
  embeds: EmbedNode[]
  filters: FilterTree[]
  order: OrderTerm[]
  range: RowRange
}

export interface EmbedNode extends ReadNode {
  /** Its key in the response, and its name in filters and orders. */
  name: string
  relationship: Relationship
  isToOne: boolean
  isInner: boolean
  isSpread: boolean
  joinAlias: Sql
  junctionAlias: Sql
}

/** The column with the rows in a to-many embed's joined result. */
export const ROWS = internal('rows')

export interface ReadOptions {
  source: RowSource
  schema: Schema
  maxRows: number | null
  rootRange: RowRange
  /** For writes, whose own statement applies the root's filters. */
  skipsRootFilters?: boolean
}

export function readTree(query: Query, options: ReadOptions): ReadNode {
  const { source, schema, maxRows, rootRange } = options
  const names = new AliasNumbers()
  const root: ReadNode = {
    ...nodeOf(query.select, { source, schema, names, depth: 0 }),
    range: restrict(rootRange, maxRows),
  }
  if (query.select.length === 0) root.selectsAll = true

  for (const { path, value } of query.filters) {
    if (path.length > 0 || !options.skipsRootFilters) nodeAt(root, path).filters.push(value)
  }
  for (const { path, value } of query.orders) nodeAt(root, path).order = value
  for (const { path, value } of query.ranges) if (path.length > 0) nodeAt(root, path).range = value
  finish(root, maxRows)
  return root
}

class AliasNumbers {
  #last = -1

  next(): number {
    this.#last += 1
    return this.#last
  }
}

interface NodeContext {
  source: RowSource
  schema: Schema
  names: AliasNumbers
  depth: number
}

function nodeOf(items: SelectItem[], context: NodeContext): ReadNode {
  const fields = items.filter((item) => item.kind === 'field')
  if (fields.some(({ aggregate }) => aggregate) && !context.schema.allowsAggregates)
    throw aggregatesNotAllowed()
  return {
    source: context.source,
    alias: internal(`t${context.names.next()}`),
    selectsAll: items.some(({ kind }) => kind === 'star'),
    fields,
    embeds: embedsOf(items, context),
    filters: [],
    order: [],
    range: noRange,
  }
}

/** Refuses two embeds of one name, which would be the same key. PostgREST fails there with a duplicate alias. */
function embedsOf(items: SelectItem[], context: NodeContext): EmbedNode[] {
  const embeds = items.filter((item) => item.kind === 'embed').map((embed) => embedNodeOf(embed, context))
  const repeated = embeds.find(({ name }, index) => embeds.findIndex((other) => other.name === name) < index)
  if (repeated) throw repeatedAlias(`${context.source.name}_${repeated.name}_${context.depth + 1}`)
  return embeds
}

function embedNodeOf(embed: Embed, { source, schema, names, depth }: NodeContext): EmbedNode {
  const { target, hint, alias, items, join, isSpread } = embed
  const relationship = findRelationship({ origin: source, target, hint }, schema)
  const relation = schema.relations.get(keyOf(relationship.target))
  if (!relation) throw tableNotFound(relationship.target, schema)

  const number = names.next()
  return {
    ...nodeOf(items, { source: sourceOf(relation), schema, names, depth: depth + 1 }),
    name: alias ?? target,
    relationship,
    isToOne: isToOne(relationship),
    isInner: join === 'inner',
    isSpread,
    joinAlias: internal(`j${number}`),
    junctionAlias: internal(`x${number}`),
  }
}

function nodeAt(node: ReadNode, path: EmbedPath): ReadNode {
  const [name, ...deeper] = path
  if (name === undefined) return node
  const embed = findEmbed(node, name)
  if (!embed) throw notEmbedded(name)
  return nodeAt(embed, deeper)
}

export function findEmbed(node: Pick<ReadNode, 'embeds'>, name: string): EmbedNode | undefined {
  return (
    node.embeds.find((embed) => embed.name === name) ??
    node.embeds.find((embed) => targetNameOf(embed) === name)
  )
}

/** An aliased embed can also be addressed by its target's name, as before PostgREST 14. */
function targetNameOf({ relationship }: EmbedNode): string {
  return relationship.cardinality === 'computed' ? relationship.function.name : relationship.target.name
}

/** Aggregates of a to-one spread belong to the rows that it is spread into. */
export function isAggregated(node: ReadNode): boolean {
  return (
    node.fields.some(({ aggregate }) => aggregate !== null) ||
    node.embeds.some((embed) => isHoisted(embed) && isAggregated(embed))
  )
}

export function isHoisted({ isSpread, isToOne: isOne }: EmbedNode): boolean {
  return isSpread && isOne
}

/** Runs the checks that need the complete tree, and applies the row limit to embeds. */
function finish(node: ReadNode, maxRows: number | null): void {
  for (const { relation } of node.order) {
    if (relation === null) continue
    const embed = findEmbed(node, relation)
    if (!embed) throw notEmbedded(relation)
    if (!embed.isToOne) throw relatedOrderNotToOne(node.source.name, embed.name)
  }
  for (const embed of node.embeds) {
    if (embed.isSpread && !embed.isToOne && isAggregated(embed)) throw aggregatesOfSpreadRows()
    embed.range = restrict(embed.range, embed.isToOne ? null : maxRows)
    finish(embed, maxRows)
  }
}
