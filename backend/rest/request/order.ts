/** `order=` → terms: `price.desc.nullslast,data->>sku,directors(name).asc`. */

import { readField, type Field } from './field.ts'
import { Scanner } from './scanner.ts'

export interface OrderTerm {
  /** An embedded to-one relation whose column decides. */
  relation: string | null
  field: Field
  direction: 'asc' | 'desc' | null
  nulls: 'first' | 'last' | null
}

/** PostgreSQL sorts by columns it adds to the select, which may have 1664. */
const TERMS_AT_MOST = 100

export function parseOrder(text: string): OrderTerm[] {
  const scanner = new Scanner(text, 'order')
  const terms = [readTerm(scanner)]
  while (scanner.eat(',')) {
    if (terms.length === TERMS_AT_MOST) scanner.fail(`at most ${TERMS_AT_MOST} terms`)
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
