/** The page of a long list that an address asks for; what is no number is the first. */
export function pageIn(params: URLSearchParams): number {
  const asked = params.get('page') ?? ''
  return /^[1-9]\d{0,3}$/.test(asked) ? Number(asked) : 1
}

/** The address of another page of the same list. */
export function pageAddress(path: string, params: URLSearchParams, page: number): string {
  const wishes = new URLSearchParams(params)
  wishes.delete('page')
  if (page > 1) wishes.set('page', String(page))
  return wishes.size > 0 ? `${path}?${wishes}` : path
}
