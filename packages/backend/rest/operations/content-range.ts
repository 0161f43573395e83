/** `0-9/100`: returned rows and total; `*` for no rows and for an unknown total. */
export function contentRange(first: number, rows: number, total: number | null): string {
  const range = rows > 0 && total !== 0 ? `${first}-${first + rows - 1}` : '*'
  return `${range}/${total ?? '*'}`
}

export type PageStatus = 200 | 206 | 'out of bounds'

/** 206 needs a total: without one, whether there are more rows is unknown. */
export function pageStatus(offset: number, rows: number, total: number | null): PageStatus {
  if (total === null) return 200
  if (offset > total) return 'out of bounds'
  return rows < total ? 206 : 200
}
