import { slowWrite } from '../errors.ts'
import { patternLengths } from './pattern-length.ts'
import type { Query } from './query.ts'

/**
 * Throws when a write also reads other tables, or matches patterns. Its transaction evaluates both while it holds the rows that it
 * wrote, and every other writer of these rows waits.
 */
export function refuseSlowWrite({ select, filters }: Query): void {
  const hasEmbeds = select.some(({ kind }) => kind === 'embed')
  if (hasEmbeds || patternLengths(filters.map(({ value }) => value)) > 0) throw slowWrite()
}
