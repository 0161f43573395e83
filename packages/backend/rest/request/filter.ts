/**
 * PostgREST filter syntax → a tree: `?price=gte.100&or=(colour.eq.red,size.is.null)`.
 *
 * `not.` may stand before an operator or a group, and a comma inside double quotes is part of the value. Values stay
 * text: PostgreSQL casts them, because only it knows the column's type.
 */

import { readField, type Field } from './field.ts'
import { Scanner } from './scanner.ts'

export type Comparison =
  | { kind: 'simple'; operator: SimpleOperator; value: string }
  | { kind: 'quantified'; operator: QuantifiedOperator; quantifier: 'any' | 'all' | null; value: string }
  | { kind: 'is'; value: IsValue }
  | { kind: 'isdistinct'; value: string }
  | { kind: 'in'; values: string[] }
  | { kind: 'search'; operator: SearchOperator; language: string | null; value: string }

export interface Filter {
  kind: 'filter'
  field: Field
  isNegated: boolean
  comparison: Comparison
}

export interface FilterGroup {
  kind: 'group'
  isNegated: boolean
  conjunction: 'and' | 'or'
  members: FilterTree[]
}

export type FilterTree = Filter | FilterGroup

const SIMPLE = ['neq', 'cs', 'cd', 'ov', 'sl', 'sr', 'nxr', 'nxl', 'adj'] as const
const QUANTIFIED = ['eq', 'gte', 'gt', 'lte', 'lt', 'like', 'ilike', 'match', 'imatch'] as const
const SEARCH = ['fts', 'plfts', 'phfts', 'wfts'] as const
const IS = ['null', 'not_null', 'true', 'false', 'unknown'] as const

export type SimpleOperator = (typeof SIMPLE)[number]
export type QuantifiedOperator = (typeof QUANTIFIED)[number]
export type SearchOperator = (typeof SEARCH)[number]
export type IsValue = (typeof IS)[number]

const OPERATOR = /([a-z]+)(?:\(([^()]*)\))?\./y
const MAX_NESTING = 16

/** `gte.100`, the right side of a parameter. Null when it does not begin with an operator. */
export function findComparison(text: string): Pick<Filter, 'isNegated' | 'comparison'> | null {
  const scanner = new Scanner(text, 'filter')
  const isNegated = scanner.eat('not.')
  const operator = scanner.match(OPERATOR)
  if (!operator || !isOperator(operator)) return null
  return { isNegated, comparison: readComparison(scanner, operator, () => takeRest(scanner)) }
}

export function parseComparison(text: string): Pick<Filter, 'isNegated' | 'comparison'> {
  return findComparison(text) ?? new Scanner(text, 'filter').fail('"not" or operator (eq, gt, ...)')
}

/** `(a.eq.1,or(b.is.null,not.c.gt.2))`, the right side of `and=` and `or=`. */
export function parseGroup(
  text: string,
  conjunction: FilterGroup['conjunction'],
  isNegated: boolean,
): FilterGroup {
  const scanner = new Scanner(text, 'logic tree')
  const group = readGroup(scanner, { conjunction, isNegated, depth: 0 })
  scanner.expectEnd()
  return group
}

interface GroupStart {
  conjunction: FilterGroup['conjunction']
  isNegated: boolean
  depth: number
}

function readGroup(scanner: Scanner, { conjunction, isNegated, depth }: GroupStart): FilterGroup {
  if (depth > MAX_NESTING) scanner.fail(`at most ${MAX_NESTING} levels of nesting`)
  scanner.skipSpaces()
  scanner.expect('(')
  const members = [readMember(scanner, depth)]
  while (scanner.eat(',')) members.push(readMember(scanner, depth))
  scanner.skipSpaces()
  scanner.expect(')')
  scanner.skipSpaces()
  return { kind: 'group', isNegated, conjunction, members }
}

function readMember(scanner: Scanner, depth: number): FilterTree {
  scanner.skipSpaces()
  const start = scanner.attempt(() => findGroupStart(scanner))
  if (start) return readGroup(scanner, { ...start, depth: depth + 1 })

  const field = readField(scanner)
  scanner.expect('.', 'delimiter (.)')
  const isNegated = scanner.eat('not.')
  const operator = scanner.match(OPERATOR)
  if (!operator || !isOperator(operator)) return scanner.fail('operator (eq, gt, ...)')
  const comparison = readComparison(scanner, operator, () => readGroupValue(scanner))
  scanner.skipSpaces()
  return { kind: 'filter', field, isNegated, comparison }
}

function findGroupStart(scanner: Scanner): Omit<GroupStart, 'depth'> | null {
  const isNegated = scanner.eat('not.')
  const conjunction = scanner.eat('and') ? 'and' : scanner.eat('or') ? 'or' : null
  scanner.skipSpaces()
  return conjunction && scanner.looksAt('(') ? { conjunction, isNegated } : null
}

function isOperator([, name = '', argument]: RegExpExecArray): boolean {
  if (isOneOf(QUANTIFIED, name)) return argument === undefined || argument === 'any' || argument === 'all'
  if (isOneOf(SEARCH, name)) return argument === undefined || /^[\p{L}\p{N}_ $]+$/u.test(argument)
  return (
    argument === undefined &&
    (isOneOf(SIMPLE, name) || name === 'is' || name === 'in' || name === 'isdistinct')
  )
}

function readComparison(
  scanner: Scanner,
  [, name = '', argument]: RegExpExecArray,
  value: () => string,
): Comparison {
  if (name === 'in') return { kind: 'in', values: readList(scanner) }
  if (name === 'is') return { kind: 'is', value: readIs(scanner) }
  if (name === 'isdistinct') return { kind: 'isdistinct', value: value() }
  if (isOneOf(SIMPLE, name)) return { kind: 'simple', operator: name, value: value() }
  if (isOneOf(SEARCH, name))
    return { kind: 'search', operator: name, language: argument ?? null, value: value() }
  if (isOneOf(QUANTIFIED, name)) {
    return {
      kind: 'quantified',
      operator: name,
      quantifier: argument === 'any' || argument === 'all' ? argument : null,
      value: value(),
    }
  }
  return scanner.fail('operator (eq, gt, ...)')
}

function readIs(scanner: Scanner): IsValue {
  const word = scanner.match(/[a-z_]+/iy)?.[0].toLowerCase() ?? ''
  return isOneOf(IS, word) ? word : scanner.fail('isVal: (null, not_null, true, false, unknown)')
}

/** `(a,"b,c",d)`. An item in quotes may hold commas and brackets. */
function readList(scanner: Scanner): string[] {
  scanner.skipSpaces()
  scanner.expect('(')
  scanner.skipSpaces()
  const items = [readListItem(scanner)]
  while (scanner.eat(',')) items.push(readListItem(scanner))
  scanner.skipSpaces()
  scanner.expect(')')
  scanner.skipSpaces()
  return items
}

function readListItem(scanner: Scanner): string {
  return findQuotedItem(scanner) ?? scanner.match(/[^,)]*/y)?.[0] ?? ''
}

/** Inside a group a value ends at a comma or bracket, unless it is quoted or an array literal. */
function readGroupValue(scanner: Scanner): string {
  return (
    findQuotedItem(scanner) ??
    scanner.match(/\{[^{}]*\}(?=[,)]|$)/y)?.[0] ??
    scanner.match(/[^,)]*/y)?.[0] ??
    ''
  )
}

function findQuotedItem(scanner: Scanner): string | null {
  return scanner.attempt(() => {
    const text = scanner.findQuoted()
    return text !== null && (scanner.isAtEnd || scanner.looksAt(',') || scanner.looksAt(')')) ? text : null
  })
}

function takeRest(scanner: Scanner): string {
  return scanner.match(/[^]*/y)?.[0] ?? ''
}

function isOneOf<const T extends string>(words: readonly T[], word: string): word is T {
  return words.some((known) => known === word)
}
