import { patternTooLong, slowWrite } from '../errors.ts'
import type { Comparison, FilterTree } from './filter.ts'
import type { Query } from './query.ts'

const PATTERNS = new Set(['like', 'ilike', 'match', 'imatch'])

/** Throws when the patterns and text searches of a request are longer than allowed, taken together. */
export function refuseLongPatterns(filters: FilterTree[], limit: number): void {
  if (patternLengths(filters) > limit) throw patternTooLong(limit)
}

/**
 * Throws when a write also reads other tables, or matches patterns. Its transaction evaluates both while it holds the rows that it
 * wrote, and every other writer of these rows waits.
 */
export function refuseSlowWrite({ select, filters }: Query): void {
  const hasEmbeds = select.some(({ kind }) => kind === 'embed')
  if (hasEmbeds || hasPatterns({ filters })) throw slowWrite()
}

/** Whether filters match patterns or search texts. */
export function hasPatterns({ filters }: Pick<Query, 'filters'>): boolean {
  return patternLengths(filters.map(({ value }) => value)) > 0
}

/** Returns the total length of all patterns and text searches. */
function patternLengths(filters: FilterTree[]): number {
  return sum(filters.map(patternLength))
}

function patternLength(tree: FilterTree): number {
  return tree.kind === 'group' ? sum(tree.members.map(patternLength)) : lengthOf(tree.comparison)
}

function lengthOf(comparison: Comparison): number {
  if (comparison.kind === 'search') return comparison.value.length
  const isPattern = comparison.kind === 'quantified' && PATTERNS.has(comparison.operator)
  return isPattern ? comparison.value.length : 0
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
