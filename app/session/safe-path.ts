/** A path on this site, from something an address brought along; `null` for anything that leads elsewhere. */
export function safePath(wanted: string | null | undefined): string | null {
  if (!wanted?.startsWith('/')) return null
  const base = 'http://this.site'
  const url = URL.parse(wanted, base)
  if (url?.origin !== base) return null
  return url.pathname + url.search + url.hash
}
