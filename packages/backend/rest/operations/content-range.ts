import type { TextRow } from '#backend/database/pipeline.ts'

import { notSingular, outOfBounds } from '../errors.ts'
import { resultOf, type RestRequest } from './operation.ts'

/** `0-9/100`: returned rows and total; `*` for no rows and for an unknown total. */
export function contentRange(first: number, rows: number, total: number | null): string {
  const range = rows > 0 && total !== 0 ? `${first}-${first + rows - 1}` : '*'
  return `${range}/${total ?? '*'}`
}

/** Returns a page with its status and header. Throws for a range beyond the last row, and unless a requested object is one row. */
export function pageOf({ accepted, range }: RestRequest, rows: TextRow[][]) {
  const result = resultOf(rows)
  const { pageRows, total } = result
  if (accepted.kind === 'object' && pageRows !== 1) throw notSingular(pageRows)
  if (total !== null && range.offset > total) throw outOfBounds(range.offset, total)
  return {
    result,
    // Without a total, whether there are more rows is unknown.
    status: total !== null && pageRows < total ? 206 : 200,
    headers: { 'Content-Range': contentRange(range.offset, pageRows, total) },
  }
}
