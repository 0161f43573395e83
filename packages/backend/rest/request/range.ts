import { negativeLimit, reversedRange } from '../errors.ts'

export interface RowRange {
  offset: number
  /** Null is no limit. */
  limit: number | null
}

export const noRange: RowRange = { offset: 0, limit: null }

const RANGE_HEADER = /^(\d{1,15})-(\d{0,15})$/

/** Returns the intersection of `limit`/`offset` and the `Range` header. Throws PGRST103. */
export function topLevelRange(query: RowRange, header: string | undefined): RowRange {
  if (query.limit === 0) return { offset: 0, limit: 0 }
  if (query.limit !== null && query.limit < 0) throw negativeLimit()

  const match = header === undefined ? null : RANGE_HEADER.exec(header)
  if (!match) return query
  const first = Number(match[1])
  const last = match[2] ? Number(match[2]) : Infinity
  if (last < first) throw reversedRange()

  const queryLast = query.limit === null ? Infinity : query.offset + query.limit - 1
  const offset = Math.max(first, query.offset)
  const end = Math.min(last, queryLast)
  if (end < offset) throw negativeLimit()
  return { offset, limit: end === Infinity ? null : end - offset + 1 }
}

/** Limits the range to the server's maximum. */
export function restrict(range: RowRange, maxRows: number | null): RowRange {
  if (maxRows === null) return range
  return { ...range, limit: range.limit === null ? maxRows : Math.min(range.limit, maxRows) }
}
