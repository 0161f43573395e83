/**
 * SQL that cannot be injected into.
 *
 * A piece of SQL is made from text in our own source (the `sql` template takes nothing but other pieces), from bound
 * values, from quoted identifiers and from text that PostgreSQL itself wrote into its catalogue. There is no fifth way.
 */

import type { Statement } from '#backend/database/pipeline.ts'

interface Bound {
  value: string | null
}

type Part = string | Bound | Sql

export class Sql {
  readonly parts: readonly Part[]

  constructor(parts: readonly Part[]) {
    this.parts = parts
  }

  get isEmpty(): boolean {
    return this.parts.length === 0
  }
}

export const nothing = new Sql([])

export function sql(texts: TemplateStringsArray, ...inserts: Sql[]): Sql {
  const parts: Part[] = []
  for (const [index, text] of texts.entries()) {
    if (text) parts.push(text)
    const insert = inserts[index]
    if (insert && !insert.isEmpty) parts.push(insert)
  }
  return new Sql(parts)
}

/** A value of the client's. It travels apart from the statement; PostgreSQL infers its type from where it stands. */
export function bind(value: string | null): Sql {
  return new Sql([{ value }])
}

/**
 * Begins every name that we give inside of a statement. Whatever a client or a table calls something, it is not one of
 * ours: otherwise a column `page` would take the place of the rows that we call so.
 */
const OURS = '\u001f'

/** True for a name that clients may not use. */
export function isReserved(name: string): boolean {
  return name.includes(OURS)
}

/** A name of our own for an alias, an output column or a common table expression: `"<reserved>page"`. */
export function internal(name: string): Sql {
  return new Sql([quote(OURS + name)])
}

/**
 * `"schema"."name"`. Names are looked up in the catalogue first. The aliases of a select are the exception: they are
 * the client's own words, and only the quoting makes them harmless.
 */
export function identifier(...path: string[]): Sql {
  if (path.some(isReserved)) throw new Error(`a name of a client or a table is reserved: ${path.join('.')}`)
  return new Sql([path.map(quote).join('.')])
}

/** Types and default expressions as PostgreSQL prints them. */
export function fromCatalogue(text: string): Sql {
  return new Sql([text])
}

/** A catalogue name as a string literal, for the places where SQL takes no identifier. */
export function literal(name: string): Sql {
  const escaped = name.replaceAll("'", "''").replaceAll('\\', '\\\\')
  return new Sql([name.includes('\\') ? `E'${escaped}'` : `'${escaped}'`])
}

/** A column of a select by its place, counted from 1, where `group by` takes one. */
export function columnPlace(number: number): Sql {
  if (!Number.isInteger(number)) throw new Error(`not the place of a column: ${number}`)
  return new Sql([String(number)])
}

export function join(items: readonly Sql[], separator: string): Sql {
  const parts: Part[] = []
  for (const [index, item] of items.entries()) {
    if (index > 0) parts.push(separator)
    parts.push(item)
  }
  return new Sql(parts)
}

export function list(items: readonly Sql[]): Sql {
  return join(items, ', ')
}

export function toStatement(whole: Sql): Statement {
  return write(whole, { text: (text) => text, place: (number) => `$${number}` })
}

/** As PostgreSQL's own `format()` takes it: a value still travels apart, and `%L` stands where PostgreSQL is to quote it. */
export function toTemplate(whole: Sql): Statement {
  return write(whole, { text: (text) => text.replaceAll('%', '%%'), place: () => '%L' })
}

interface Notation {
  text: (text: string) => string
  /** Where the so-manieth value goes. */
  place: (number: number) => string
}

function write(whole: Sql, { text, place }: Notation): Statement {
  const statement: Statement = { text: '', values: [] }
  const add = ({ parts }: Sql): void => {
    for (const part of parts) {
      if (typeof part === 'string') statement.text += text(part)
      else if (part instanceof Sql) add(part)
      else statement.text += place(statement.values.push(part.value))
    }
  }
  add(whole)
  return statement
}

function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
