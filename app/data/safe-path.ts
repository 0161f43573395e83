/**
 * Returns the path, query and fragment of `url` when it leads to a page of this site, and `null` otherwise.
 * Dot segments are resolved first: `/..//evil.example` has the path `//evil.example`, which a browser takes for another host.
 */
export function safePath(url: string | null | undefined): string | null {
  const base = 'http://this.site'
  if (!url?.startsWith('/') || !URL.canParse(url, base)) return null
  const { origin, pathname, search, hash } = new URL(url, base)
  if (origin !== base || pathname.startsWith('//')) return null
  return pathname + search + hash
}
