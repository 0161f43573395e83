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

export function parseOrder(text: string): OrderTerm[] {
  const scanner = new Scanner(text, 'order')
  const terms = [readTerm(scanner)]
  while (scanner.eat(',')) terms.push(readTerm(scanner))
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
