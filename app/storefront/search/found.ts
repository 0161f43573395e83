import { MAX_SUGGESTIONS, type SearchEntry } from './entries.ts'

export interface FoundEntries {
  query: string
  entries: SearchEntry[]
  /** The lures could not be searched, so `entries` are pages only. */
  hasFailed: boolean
}

/**
 * Says what was found. `null` while the search for `query` runs, unless an earlier query has results, which stay meanwhile: that it
 * found nothing says nothing about this one.
 */
export function foundText(found: FoundEntries | null, query: string): string | null {
  if (!found || (found.query !== query && found.entries.length === 0)) return null
  const count = found.entries.length
  if (found.hasFailed) return "We couldn't search the lures. Please try again."
  if (count === 0) return `Nothing found for “${query}”.`
  if (count >= MAX_SUGGESTIONS) return `${MAX_SUGGESTIONS} results or more`
  return count === 1 ? '1 result' : `${count} results`
}
