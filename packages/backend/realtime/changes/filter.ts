/**
 * Parses filters of `postgres_changes`: `status=eq.paid,total=not.lt.100,title=in.("a,b",c)`, combined with AND.
 *
 * Commas and parentheses inside quotes or parentheses belong to the value. Values stay text: the database casts them.
 */

const OPERATORS = [
  'eq',
  'neq',
  'lt',
  'lte',
  'gt',
  'gte',
  'like',
  'ilike',
  'match',
  'imatch',
  'isdistinct',
  'in',
  'is',
] as const

export type Operator = (typeof OPERATORS)[number]

export interface Condition {
  column: string
  operator: Operator
  isNegated: boolean
  /** Text for the database to cast; for `in` an array literal. */
  value: string
}

const IS_VALUES = new Set(['null', 'true', 'false', 'unknown'])
/** Limit of the hosted product. */
const MAX_IN_VALUES = 100

export class FilterError extends Error {}

export const TOO_SLOW = 'The patterns of these filters take too long'

export function parseFilter(filter: string): Condition[] {
  const trimmed = filter.trim()
  return trimmed === '' ? [] : split(trimmed).map(parseCondition)
}

function parseCondition(segment: string): Condition {
  const match = /^([^=]+)=(not\.)?([a-z]+)\.(.*)$/s.exec(segment.trim())
  const [, column = '', not, name = '', value = ''] = match ?? []
  if (!match || !isOperator(name))
    throw new FilterError(`Error parsing \`filter\` params: ${JSON.stringify(segment)}`)
  return { column: column.trim(), operator: name, isNegated: not !== undefined, value: valueOf(name, value) }
}

function valueOf(operator: Operator, value: string): string {
  if (operator === 'in') return arrayLiteral(value)
  const plain = unquote(value)
  if (operator === 'is' && !IS_VALUES.has(plain.toLowerCase())) {
    throw new FilterError('invalid value for is filter: must be null, true, false, or unknown')
  }
  return operator === 'is' ? plain.toLowerCase() : plain
}

/** `(a,"b,c")` → `{"a","b,c"}`. Quotes every item, so that an unquoted `null` stays text. */
function arrayLiteral(value: string): string {
  if (!value.startsWith('(') || !value.endsWith(')') || value.length < 2) {
    throw new FilterError('Error parsing `filter` params: `in` filter value must be wrapped by parentheses')
  }
  const inside = value.slice(1, -1)
  const items = inside === '' ? [] : split(inside).map((item) => unquote(item.trim()))
  if (items.length > MAX_IN_VALUES) throw new FilterError('too many values for `in` filter. Maximum 100')
  return `{${items.map((item) => `"${item.replaceAll(/["\\]/g, '\\$&')}"`).join(',')}}`
}

/** Splits at commas outside quotes and parentheses. A quote counts only at the start of a value. */
function split(text: string): string[] {
  const parts: string[] = []
  let [start, depth, isQuoted] = [0, 0, false]
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at]
    if (isQuoted) {
      if (character === '\\') at += 1
      else if (character === '"') isQuoted = false
    } else if (character === '"') isQuoted = at === start || /[.(,]/.test(text[at - 1] ?? '')
    else if (character === '(') depth += 1
    else if (character === ')') depth = Math.max(0, depth - 1)
    else if (character === ',' && depth === 0) {
      parts.push(text.slice(start, at))
      start = at + 1
    }
  }
  return [...parts, text.slice(start)]
}

function unquote(value: string): string {
  return /^"(?:[^"\\]|\\.)*"$/s.test(value) ? value.slice(1, -1).replaceAll(/\\(.)/gs, '$1') : value
}

function isOperator(name: string): name is Operator {
  const names: readonly string[] = OPERATORS
  return names.includes(name)
}
