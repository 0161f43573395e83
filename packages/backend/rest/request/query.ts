/** Parses the query string, without knowledge of the schema. */

import { findComparison, parseComparison, parseGroup, type FilterTree } from './filter.ts'
import { readField, type Field } from './field.ts'
import { parseOrder, type OrderTerm } from './order.ts'
import { noRange, type RowRange } from './range.ts'
import { Scanner } from './scanner.ts'
import { parseSelect, type SelectItem } from './select.ts'

/** The path to an embedded relation, by alias or name; empty for the root. */
export type EmbedPath = string[]

interface At<T> {
  path: EmbedPath
  value: T
}

export interface Query {
  select: SelectItem[]
  filters: At<FilterTree>[]
  orders: At<OrderTerm[]>[]
  ranges: At<RowRange>[]
  columns: string[] | null
  onConflict: string[] | null
  /** For functions called by GET: parameters that are not filters. */
  arguments: [name: string, value: string][]
}

export function parseQuery(
  parameters: URLSearchParams,
  { takesArguments }: { takesArguments: boolean },
): Query {
  const query: Query = {
    select: parseSelect(parameters.get('select') ?? '*'),
    filters: [],
    orders: [],
    ranges: [],
    columns: parseColumns(parameters.get('columns'), 'columns parameter'),
    onConflict: parseColumns(parameters.get('on_conflict'), 'on_conflict parameter'),
    arguments: [],
  }
  const ranges = new Map<string, RowRange>()
  for (const [key, value] of parameters) {
    const words = key.split('.')
    switch (words.at(-1) ?? '') {
      case 'order':
        query.orders.push({ path: parseTarget(key).path, value: parseOrder(value) })
        break
      case 'limit':
      case 'offset':
        addRange(ranges, key, value)
        break
      case 'and':
      case 'or':
        query.filters.push(parseLogic(key, value))
        break
      default:
        if (key !== 'select' && key !== 'columns' && key !== 'on_conflict') {
          addFilterOrArgument(query, [key, value], takesArguments)
        }
    }
  }
  for (const [key, range] of ranges)
    query.ranges.push({ path: key === '' ? [] : parseTarget(key).names, value: range })
  return query
}

function addFilterOrArgument(query: Query, [key, value]: [string, string], takesArguments: boolean): void {
  const { path, field } = parseTarget(key)
  const comparison = takesArguments ? findComparison(value) : parseComparison(value)
  if (comparison) query.filters.push({ path, value: { kind: 'filter', field, ...comparison } })
  else if (path.length === 0) query.arguments.push([field.name, value])
}

/** `actors.films.title` → the path and its last field; `names` has all parts. */
function parseTarget(key: string): { path: EmbedPath; field: Field; names: string[] } {
  const scanner = new Scanner(key, 'tree path')
  const names: string[] = []
  let field = readField(scanner)
  names.push(field.name)
  while (scanner.eat('.')) {
    field = readField(scanner)
    names.push(field.name)
  }
  scanner.expectEnd()
  return { path: names.slice(0, -1), field, names }
}

/** `actors.not.or=(…)`: `not` may stand anywhere before the last word. */
function parseLogic(key: string, value: string): At<FilterTree> {
  const { names } = parseTarget(key)
  const conjunction = names.at(-1) === 'or' ? 'or' : 'and'
  const isNegated = names.includes('not')
  const path = names.slice(0, -1).filter((name) => name !== 'not')
  return { path, value: parseGroup(value, conjunction, isNegated) }
}

/** Ignores a limit or offset that is not a number, as PostgREST does. */
function addRange(ranges: Map<string, RowRange>, key: string, value: string): void {
  const words = key.split('.')
  const parent = words.slice(0, -1).join('.')
  const range = ranges.get(parent) ?? noRange
  const number = /^-?\d{1,15}$/.test(value) ? Number(value) : null
  if (number === null) return
  ranges.set(
    parent,
    words.at(-1) === 'limit' ? { ...range, limit: number } : { ...range, offset: Math.max(number, 0) },
  )
}

function parseColumns(text: string | null, what: string): string[] | null {
  if (text === null) return null
  const scanner = new Scanner(text, what)
  const names = [scanner.name()]
  for (;;) {
    scanner.skipSpaces()
    if (!scanner.eat(',')) break
    scanner.skipSpaces()
    names.push(scanner.name())
  }
  scanner.expectEnd()
  return [...new Set(names)]
}
