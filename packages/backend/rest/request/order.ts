/** `order=` → terms: `price.desc.nullslast,data->>sku,directors(name).asc`. */

import { readField, type Field } from './field.ts'
import { Scanner } from './scanner.ts'

export interface OrderTerm {
  /** The embedded to-one relation that has the column, if any. */
  relation: string | null
  field: Field
  direction: 'asc' | 'desc' | null
  nulls: 'first' | 'last' | null
}

/** PostgreSQL adds sort columns to the select list, which is limited to 1664. */
const MAX_TERMS = 100

export function parseOrder(text: string): OrderTerm[] {
  const scanner = new Scanner(text, 'order')
  const terms = [readTerm(scanner)]
  while (scanner.eat(',')) {
    if (terms.length === MAX_TERMS) scanner.fail(`at most ${MAX_TERMS} terms`)
    terms.push(readTerm(scanner))
  }
  scanner.expectEnd()
  return terms
}

function readTerm(scanner: Scanner): OrderTerm {
  scanner.skipSpaces()
  const relation = scanner.attempt(() => {
    const name = scanner.findName()
    return name !== null && scanner.eat('(') ? name : null
  })
  const field = readField(scanner)
  if (relation !== null) scanner.expect(')')

  const direction = scanner.eat('.asc') ? 'asc' : scanner.eat('.desc') ? 'desc' : null
  const nulls = scanner.eat('.nullsfirst') ? 'first' : scanner.eat('.nullslast') ? 'last' : null
  scanner.skipSpaces()
  if (scanner.next === '.')
    scanner.fail(nulls ? '"," or end of input' : '"asc", "desc", "nullsfirst" or "nullslast"')
  return { relation, field, direction, nulls }
}
