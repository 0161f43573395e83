/**
 * Returns the path, query and fragment of `wanted` when it leads to a page of this site, and `null` otherwise.
 * Dot segments are resolved first: `/..//evil.example` has the path `//evil.example`, which a browser takes for another host.
 */
export function safePath(wanted: string | null | undefined): string | null {
  const base = 'http://this.site'
  if (!wanted?.startsWith('/') || !URL.canParse(wanted, base)) return null
  const { origin, pathname, search, hash } = new URL(wanted, base)
  if (origin !== base || pathname.startsWith('//')) return null
  return pathname + search + hash
}
