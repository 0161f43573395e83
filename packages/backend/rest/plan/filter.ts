/** A filter tree → an SQL condition. Operators come from this file, columns from the catalogue; values are bound. */

import { badOperatorOnEmbed } from '../errors.ts'
import type {
  Comparison,
  Filter,
  FilterTree,
  IsValue,
  QuantifiedOperator,
  SearchOperator,
  SimpleOperator,
} from '../request/filter.ts'
import { bind, join, sql, type Sql } from '../sql.ts'
import { findEmbed, ROWS, type ReadNode } from './read-tree.ts'
import { fieldOf } from './row-source.ts'

const SIMPLE: Record<SimpleOperator, Sql> = {
  neq: sql`<>`,
  cs: sql`@>`,
  cd: sql`<@`,
  ov: sql`&&`,
  sl: sql`<<`,
  sr: sql`>>`,
  nxr: sql`&<`,
  nxl: sql`&>`,
  adj: sql`-|-`,
}

const QUANTIFIED: Record<QuantifiedOperator, Sql> = {
  eq: sql`=`,
  gte: sql`>=`,
  gt: sql`>`,
  lte: sql`<=`,
  lt: sql`<`,
  like: sql`like`,
  ilike: sql`ilike`,
  match: sql`~`,
  imatch: sql`~*`,
}

const SEARCH: Record<SearchOperator, Sql> = {
  fts: sql`to_tsquery`,
  plfts: sql`plainto_tsquery`,
  phfts: sql`phraseto_tsquery`,
  wfts: sql`websearch_to_tsquery`,
}

const IS: Record<IsValue, Sql> = {
  null: sql`null`,
  not_null: sql`not null`,
  true: sql`true`,
  false: sql`false`,
  unknown: sql`unknown`,
}

export type FilteredNode = Pick<ReadNode, 'source' | 'alias' | 'embeds'>

export function condition(node: FilteredNode, filter: FilterTree): Sql {
  if (filter.kind === 'filter') return comparisonOf(node, filter)
  const members = filter.members.map((member) => condition(node, member))
  const group = join(members, filter.conjunction === 'and' ? ' and ' : ' or ')
  return filter.isNegated ? sql`not (${group})` : sql`(${group})`
}

function comparisonOf(node: FilteredNode, filter: Filter): Sql {
  const onEmbed = findEmbedCondition(node, filter)
  if (onEmbed) return onEmbed

  const field = fieldOf(node.source, node.alias, filter.field)
  const compared = compare(field, filter.comparison, node.source.columns.get(filter.field.name)?.type)
  return filter.isNegated ? sql`not ${compared}` : compared
}

function compare(field: Sql, comparison: Comparison, type: string | undefined): Sql {
  switch (comparison.kind) {
    case 'simple':
      return sql`${field} ${SIMPLE[comparison.operator]} ${bind(comparison.value)}`
    case 'quantified': {
      const { operator, quantifier } = comparison
      const isPattern = operator === 'like' || operator === 'ilike'
      const value = bind(isPattern ? comparison.value.replaceAll('*', '%') : comparison.value)
      if (quantifier === null) return sql`${field} ${QUANTIFIED[operator]} ${value}`
      return sql`${field} ${QUANTIFIED[operator]} ${quantifier === 'any' ? sql`any` : sql`all`} (${value})`
    }
    case 'is':
      return sql`${field} is ${IS[comparison.value]}`
    case 'isdistinct':
      return sql`${field} is distinct from ${bind(comparison.value)}`
    case 'in': {
      const isEmpty = comparison.values.length === 1 && comparison.values[0] === ''
      return sql`${field} = any (${bind(arrayLiteral(isEmpty ? [] : comparison.values))})`
    }
    case 'search': {
      const language = comparison.language === null ? sql`` : sql`${bind(comparison.language)}::regconfig, `
      const searched =
        type === undefined || type === 'tsvector' ? field : sql`to_tsvector(${language}${field})`
      return sql`${searched} @@ ${SEARCH[comparison.operator]}(${language}${bind(comparison.value)})`
    }
  }
}

/** PostgreSQL's text format of an array; PostgreSQL infers the element type from the column. */
export function arrayLiteral(values: readonly string[]): string {
  const quoted = values.map((value) => `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`)
  return `{${quoted.join(',')}}`
}

/** `actors=not.is.null`: only rows that have an actor. */
function findEmbedCondition(node: FilteredNode, { field, comparison, isNegated }: Filter): Sql | null {
  if (field.path.length > 0 || node.source.columns.has(field.name)) return null
  const embed = findEmbed(node, field.name)
  if (!embed) return null
  if (comparison.kind !== 'is' || (comparison.value !== 'null' && comparison.value !== 'not_null')) {
    throw badOperatorOnEmbed(field.name)
  }
  const wantsNone = (comparison.value === 'null') !== isNegated
  const joined = embed.isToOne ? embed.joinAlias : sql`${embed.joinAlias}.${ROWS}`
  return wantsNone ? sql`${joined} is not distinct from null` : sql`${joined} is distinct from null`
}
