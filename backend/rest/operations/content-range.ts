/** `0-9/100`: the rows given and the rows there are; `*` for none and for not counted. */
export function contentRange(first: number, rows: number, total: number | null): string {
  const given = rows > 0 && total !== 0 ? `${first}-${first + rows - 1}` : '*'
  return `${given}/${total ?? '*'}`
}

export type PageStatus = 200 | 206 | 'out of bounds'

/** Only a counted answer can be known to be a part of a whole. */
export function pageStatus(offset: number, rows: number, total: number | null): PageStatus {
  if (total === null) return 200
  if (offset > total) return 'out of bounds'
  return rows < total ? 206 : 200
}
