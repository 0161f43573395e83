/**
 * `select=` → a tree: `id,title,director:directors!inner(name),...studios(city),data->>sku,price::text`.
 *
 * Follows PostgREST's grammar. Whether aggregates are allowed is known where the schema is.
 */

import { readField, type Field } from './field.ts'
import { Scanner } from './scanner.ts'

export interface SelectedField {
  kind: 'field'
  field: Field
  /** Of the value before it is aggregated. */
  cast: string | null
  alias: string | null
  aggregate: Aggregate | null
}

export const AGGREGATES = ['sum', 'avg', 'count', 'max', 'min'] as const

export interface Aggregate {
  name: (typeof AGGREGATES)[number]
  /** Of the result. */
  cast: string | null
  /** `count()` counts rows, whatever the field is called. */
  isOfRows: boolean
}

export interface Embed {
  kind: 'embed'
  target: string
  alias: string | null
  hint: string | null
  join: 'inner' | 'left' | null
  isSpread: boolean
  items: SelectItem[]
}

export type SelectItem = { kind: 'star' } | SelectedField | Embed

/** To and fro between parents and children every level multiplies the rows, so a short request could ask for millions. */
const EMBEDDED_AT_MOST_DEEP = 6
/** Each is a join to be planned. */
const EMBEDS_AT_MOST = 30
/** PostgreSQL takes 1664 columns. */
const ITEMS_AT_MOST = 1000

interface Depth {
  levels: number
  counted: { items: number; embeds: number }
}

const AGGREGATE = new RegExp(`\\.(${AGGREGATES.join('|')})\\(\\)`, 'y')
const CAST = /[\p{L}\p{N}_ $]+/uy

export function parseSelect(text: string): SelectItem[] {
  const scanner = new Scanner(text, 'select parameter')
  const items = readItems(scanner, { levels: 0, counted: { items: 0, embeds: 0 } })
  scanner.expectEnd()
  return items
}

function readItems(scanner: Scanner, depth: Depth): SelectItem[] {
  if (depth.levels > EMBEDDED_AT_MOST_DEEP)
    scanner.fail(`at most ${EMBEDDED_AT_MOST_DEEP} levels of embedding`)
  scanner.skipSpaces()
  if (scanner.isAtEnd || scanner.looksAt(')')) return []

  const items = [readItem(scanner, depth)]
  while (scanner.eat(',')) items.push(readItem(scanner, depth))
  return items
}

function readItem(scanner: Scanner, depth: Depth): SelectItem {
  depth.counted.items += 1
  if (depth.counted.items > ITEMS_AT_MOST) scanner.fail(`at most ${ITEMS_AT_MOST} items`)
  scanner.skipSpaces()
  const item =
    scanner.attempt(() => readStar(scanner)) ??
    scanner.attempt(() => readEmbed(scanner, depth)) ??
    readSelectedField(scanner)
  scanner.skipSpaces()
  if (!endsItem(scanner)) scanner.fail('"," or end of input')
  return item
}

function endsItem(scanner: Scanner): boolean {
  return scanner.isAtEnd || scanner.looksAt(',') || scanner.looksAt(')')
}

function readStar(scanner: Scanner): SelectItem | null {
  return scanner.eat('*') && endsItem(scanner) ? { kind: 'star' } : null
}

function readEmbed(scanner: Scanner, depth: Depth): Embed | null {
  const isSpread = scanner.eat('...')
  const alias = isSpread ? null : readAlias(scanner)
  const target = scanner.findName()
  if (target === null || target === 'count') return null

  let hint: string | null = null
  let join: Embed['join'] = null
  while (scanner.eat('!')) {
    const parameter = scanner.findName()
    if (parameter === null) return null
    if (parameter === 'inner' || parameter === 'left') join ??= parameter
    else hint ??= parameter
  }
  if (!scanner.eat('(')) return null
  depth.counted.embeds += 1
  if (depth.counted.embeds > EMBEDS_AT_MOST) scanner.fail(`at most ${EMBEDS_AT_MOST} embedded resources`)

  const items = readItems(scanner, { ...depth, levels: depth.levels + 1 })
  scanner.expect(')')
  return { kind: 'embed', target, alias, hint, join, isSpread, items }
}

function readSelectedField(scanner: Scanner): SelectedField {
  const alias = readAlias(scanner)
  if (scanner.eat('count()')) {
    const aggregate = { name: 'count' as const, cast: readCast(scanner), isOfRows: true }
    return { kind: 'field', field: { name: 'count', path: [] }, cast: null, alias, aggregate }
  }
  const field = readField(scanner)
  const cast = readCast(scanner)
  return { kind: 'field', field, cast, alias, aggregate: readAggregate(scanner) }
}

function readAggregate(scanner: Scanner): Aggregate | null {
  const called = scanner.match(AGGREGATE)?.[1]
  const name = AGGREGATES.find((known) => known === called)
  return name ? { name, cast: readCast(scanner), isOfRows: false } : null
}

function readCast(scanner: Scanner): string | null {
  return scanner.eat('::') ? (scanner.match(CAST)?.[0].trim() ?? scanner.fail('letter or digit')) : null
}

function readAlias(scanner: Scanner): string | null {
  return scanner.attempt(() => {
    const alias = scanner.findName()
    return alias !== null && !scanner.looksAt('::') && scanner.eat(':') ? alias : null
  })
}
