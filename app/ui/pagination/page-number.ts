/** Returns the page number in the address; 1 for anything invalid. */
export function parsePage(params: URLSearchParams): number {
  const text = params.get('page') ?? ''
  return /^[1-9]\d{0,3}$/.test(text) ? Number(text) : 1
}

/** Returns the address of another page, with all other parameters. */
export function pageAddress(path: string, params: URLSearchParams, page: number): string {
  const query = new URLSearchParams(params)
  query.delete('page')
  if (page > 1) query.set('page', String(page))
  return query.size > 0 ? `${path}?${query}` : path
}
