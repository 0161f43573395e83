/** Query parameters that newsletters and advertisements add for tracking; no page reads them. */
const TRACKING = /^(utm_\w+|fbclid|gclid|gbraid|wbraid|msclkid|mc_cid|mc_eid)$/

/** Lists whose further pages are cached too. Page numbers are bounded, so requests cannot fill the memory. */
const PAGINATED = new Set(['/products', '/gallery', '/size-guide'])

/** Returns the key under which a page is cached: its address without tracking parameters. `null`: not cached, such as a search. */
export function cacheKeyOf(method: string | undefined, pathAndQuery: string): string | null {
  if (method !== 'GET' && method !== 'HEAD') return null
  const mark = pathAndQuery.indexOf('?')
  const path = mark < 0 ? pathAndQuery : pathAndQuery.slice(0, mark)
  if (!path.startsWith('/') || path.startsWith('//')) return null
  if (mark < 0) return path

  const parameters = [...new URLSearchParams(pathAndQuery.slice(mark))].filter(
    ([name]) => !TRACKING.test(name),
  )
  if (parameters.length === 0) return path
  // React Router names the routes whose data it wants when it already has the others.
  const [[name, value] = ['', '']] = parameters
  const isData = path.endsWith('.data') && parameters.length === 1 && name === '_routes'
  if (isData) return `${path}?_routes=${encodeURIComponent(value)}`
  const isPage =
    PAGINATED.has(path) && parameters.length === 1 && name === 'page' && /^[1-9]\d{0,3}$/.test(value)
  return isPage ? `${path}?page=${value}` : null
}
