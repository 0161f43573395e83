/**
 * `select=` → a tree: `id,title,director:directors!inner(name),...studios(city),data->>sku,price::text`.
 *
 * Follows PostgREST's grammar. The read tree checks whether aggregates are allowed.
 */

import { readField, type Field } from './field.ts'
import { Scanner } from './scanner.ts'

export interface SelectedField {
  kind: 'field'
  field: Field
  /** Applies before aggregation. */
  cast: string | null
  alias: string | null
  aggregate: Aggregate | null
}

const AGGREGATES = ['sum', 'avg', 'count', 'max', 'min'] as const

interface Aggregate {
  name: (typeof AGGREGATES)[number]
  /** Applies to the result. */
  cast: string | null
  /** `count()`, which counts rows instead of a field's values. */
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

/** Going back and forth between parents and children multiplies the rows per level, so a short request could return millions. */
const MAX_EMBED_DEPTH = 6
/** Each is a join that PostgreSQL has to plan. */
const MAX_EMBEDS = 30
/** PostgreSQL allows 1664 columns. */
const MAX_ITEMS = 1000

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
  if (depth.levels > MAX_EMBED_DEPTH) scanner.fail(`at most ${MAX_EMBED_DEPTH} levels of embedding`)
  scanner.skipSpaces()
  if (scanner.isAtEnd || scanner.looksAt(')')) return []

  const items = [readItem(scanner, depth)]
  while (scanner.eat(',')) items.push(readItem(scanner, depth))
  return items
}

function readItem(scanner: Scanner, depth: Depth): SelectItem {
  depth.counted.items += 1
  if (depth.counted.items > MAX_ITEMS) scanner.fail(`at most ${MAX_ITEMS} items`)
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
  if (!scanner.eat('*')) return null
  scanner.skipSpaces()
  return endsItem(scanner) ? { kind: 'star' } : null
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
  if (depth.counted.embeds > MAX_EMBEDS) scanner.fail(`at most ${MAX_EMBEDS} embedded resources`)

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
