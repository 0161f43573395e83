/**
 * SQL that is safe against injection.
 *
 * `Sql` can only be made from text in our own source (the `sql` template accepts only other `Sql`), bound values, quoted identifiers, and
 * text from PostgreSQL's catalogue.
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

/** Binds a client's value as a parameter; PostgreSQL infers its type from the context. */
export function bind(value: string | null): Sql {
  return new Sql([{ value }])
}

/**
 * Prefix of all internal names in a statement, which no name of a client or table may contain: otherwise a column `page` could shadow
 * our alias `page`.
 */
const INTERNAL_PREFIX = '\u001f'

/** Whether clients may not use the name. */
export function isReserved(name: string): boolean {
  return name.includes(INTERNAL_PREFIX)
}

/** An internal name for an alias, an output column or a common table expression: `"<prefix>page"`. */
export function internal(name: string): Sql {
  return new Sql([quote(INTERNAL_PREFIX + name)])
}

/**
 * `"schema"."name"`. Look names up in the catalogue first. Only aliases of a select come directly from the client; quoting makes them
 * safe.
 */
export function identifier(...path: string[]): Sql {
  if (path.some(isReserved)) throw new Error(`a name of a client or a table is reserved: ${path.join('.')}`)
  return new Sql([path.map(quote).join('.')])
}

/** Types and default expressions as PostgreSQL prints them. */
export function fromCatalogue(text: string): Sql {
  return new Sql([text])
}

/** Conditions of the server's options. */
export function fromConfiguration(text: string): Sql {
  return new Sql([text])
}

/** A catalogue name as a string literal, where SQL accepts no identifier. */
export function literal(name: string): Sql {
  const escaped = name.replaceAll("'", "''").replaceAll('\\', '\\\\')
  return new Sql([name.includes('\\') ? `E'${escaped}'` : `'${escaped}'`])
}

/** A column's ordinal in the select list, counted from 1, for `group by`. */
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

/** For PostgreSQL's `format()`: values stay separate, and `%L` marks where PostgreSQL quotes them. */
export function toTemplate(whole: Sql): Statement {
  return write(whole, { text: (text) => text.replaceAll('%', '%%'), place: () => '%L' })
}

interface Notation {
  text: (text: string) => string
  /** The placeholder of the nth value. */
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
