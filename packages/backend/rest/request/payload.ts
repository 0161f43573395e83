import { parseJson } from '#backend/http/body.ts'
import { invalidBody } from '../errors.ts'

/** A JSON body: the raw text for PostgreSQL, and the keys of its objects. */
export interface Payload {
  json: string
  isArray: boolean
  keys: string[]
}

/** PostgreSQL parses JSON recursively; deeper nesting fails with a "stack depth" error that looks like a bug of this server. */
const MAX_NESTING = 256

/**
 * With `columns` the body's keys are ignored and only PostgreSQL parses it. Otherwise all objects must have the same keys, which are the
 * columns. Throws PGRST102.
 */
export function parsePayload(body: string, columns: string[] | null): Payload {
  refuseDeepNesting(body)
  if (columns) return { json: body, isArray: !/^\s*\{/.test(body), keys: columns }

  const value = parseJson(body)
  if (value === undefined) throw invalidBody('Empty or invalid json')
  if (Array.isArray(value)) return { json: body, isArray: true, keys: commonKeys(value) }
  if (isObject(value)) return { json: body, isArray: false, keys: Object.keys(value) }
  return { json: '[]', isArray: true, keys: [] }
}

function commonKeys(items: unknown[]): string[] {
  const [first] = items
  if (first === undefined) return []
  if (!isObject(first)) throw invalidBody('All object keys must match')

  const keys = Object.keys(first)
  const known = new Set(keys)
  const isUniform = items.every((item) => {
    if (!isObject(item)) return false
    const itsKeys = Object.keys(item)
    return itsKeys.length === known.size && itsKeys.every((key) => known.has(key))
  })
  if (!isUniform) throw invalidBody('All object keys must match')
  return keys
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function refuseDeepNesting(json: string): void {
  let depth = 0
  let isInString = false
  for (let index = 0; index < json.length; index += 1) {
    const character = json[index]
    if (isInString) {
      if (character === '\\') index += 1
      else if (character === '"') isInString = false
    } else if (character === '"') isInString = true
    else if (character === '[' || character === '{') depth += 1
    else if (character === ']' || character === '}') depth -= 1
    if (depth > MAX_NESTING) throw invalidBody(`The JSON is nested more than ${MAX_NESTING} levels deep`)
  }
}
