import { hasSqlDetails, loadModule, type Node, type ParseResult, parseSync } from 'libpg-query'
import { DatabaseProblem } from '../database-problem.ts'
import type { SqlFile } from './source.ts'

export interface ParsedStatement {
  /** Without leading comments and trailing semicolon. */
  text: string
  line: number
  node: Node
}

/** Splits a file with PostgreSQL's own parser, which dollar quotes, nested comments and `begin atomic` bodies require. */
export async function parseStatements(file: SqlFile): Promise<ParsedStatement[]> {
  await loadModule()
  const bytes = Buffer.from(file.sql)
  return parse(file).flatMap(({ stmt, stmt_location: start = 0, stmt_len: length }) => {
    if (!stmt) return []
    const whole = bytes.subarray(start, length ? start + length : undefined).toString()
    const text = whole.slice(spaceLength(whole))
    const before = bytes.subarray(0, start).toString() + whole.slice(0, spaceLength(whole))
    return [{ text, line: lineAt(before, before.length), node: stmt }]
  })
}

/** Returns the 1-based line number of the character at `offset`. */
export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length
}

function parse(file: SqlFile): NonNullable<ParseResult['stmts']> {
  // The parser refuses an empty text.
  if (spaceLength(file.sql) === file.sql.length) return []
  try {
    const result: ParseResult = parseSync(file.sql)
    return result.stmts ?? []
  } catch (error) {
    if (!hasSqlDetails(error)) throw error
    const line = lineAt(file.sql, error.sqlDetails.cursorPosition)
    throw new DatabaseProblem(`${file.path}, line ${line}: ${error.message}`, { cause: error })
  }
}

/** Returns the length of leading whitespace and comments; block comments nest. */
function spaceLength(text: string): number {
  let at = 0
  let depth = 0
  while (at < text.length) {
    if (text.startsWith('/*', at)) {
      depth += 1
      at += 2
    } else if (depth > 0 && text.startsWith('*/', at)) {
      depth -= 1
      at += 2
    } else if (depth === 0 && text.startsWith('--', at)) {
      at = text.indexOf('\n', at) + 1 || text.length
    } else if (depth > 0 || /[\s;]/.test(text.charAt(at))) {
      at += 1
    } else {
      break
    }
  }
  return at
}
