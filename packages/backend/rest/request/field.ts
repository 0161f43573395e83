import { isReserved } from '../sql.ts'
import type { Scanner } from './scanner.ts'

/** A column with a JSON path: `data->items->0->>name`. */
export interface Field {
  name: string
  path: JsonStep[]
}

export interface JsonStep {
  arrow: '->' | '->>'
  key: { kind: 'key' | 'index'; text: string }
}

/** PostgreSQL parses nested expressions recursively. */
const MAX_JSON_STEPS = 64

const JSON_INDEX = /-?\d+(?=->|::|\.|,|\)|$)/y
const JSON_KEY = /[^(\-:.,>)]+(?:-(?!>)[^(\-:.,>)]+)*/y

export function readField(scanner: Scanner): Field {
  scanner.skipSpaces()
  const name = scanner.name()
  const path = readJsonPath(scanner)
  scanner.skipSpaces()
  return { name, path }
}

function readJsonPath(scanner: Scanner): JsonStep[] {
  const path: JsonStep[] = []
  for (;;) {
    const arrow = scanner.eat('->>') ? '->>' : scanner.eat('->') ? '->' : null
    if (!arrow) return path
    if (path.length === MAX_JSON_STEPS) scanner.fail(`at most ${MAX_JSON_STEPS} steps into JSON`)
    path.push({ arrow, key: readJsonKey(scanner) })
  }
}

function readJsonKey(scanner: Scanner): JsonStep['key'] {
  const index = scanner.match(JSON_INDEX)?.[0]
  if (index !== undefined) return { kind: 'index', text: index }

  if (scanner.looksAt('"')) return { kind: 'key', text: scanner.quoted() }
  const key = scanner.match(JSON_KEY)?.[0].trim()
  // The key becomes the value's name in the response.
  if (key && isReserved(key)) scanner.fail('a name without reserved characters')
  return key ? { kind: 'key', text: key } : scanner.fail('any non reserved character different from: .,>()')
}
