/**
 * Filters of `postgres_changes`: `status=eq.paid,total=not.lt.100,title=in.("a,b",c)`, all of which must hold.
 *
 * Commas and parentheses inside quotes or parentheses belong to the value. Values stay text: the database casts them.
 */

export const OPERATORS = [
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
/** The hosted product's. */
const VALUES_OF_IN_AT_MOST = 100

export class FilterError extends Error {}

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

/** `(a,"b,c")` → `{"a","b,c"}`, every item quoted so that none is read as anything but text. */
function arrayLiteral(value: string): string {
  if (!value.startsWith('(') || !value.endsWith(')') || value.length < 2) {
    throw new FilterError('Error parsing `filter` params: `in` filter value must be wrapped by parentheses')
  }
  const inside = value.slice(1, -1)
  const items = inside === '' ? [] : split(inside).map((item) => unquote(item.trim()))
  if (items.length > VALUES_OF_IN_AT_MOST)
    throw new FilterError('too many values for `in` filter. Maximum 100')
  return `{${items.map((item) => `"${item.replaceAll(/["\\]/g, '\\$&')}"`).join(',')}}`
}

/** Cuts at commas that stand outside quotes and parentheses. A quote opens only where a value may begin. */
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
