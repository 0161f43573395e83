/** What links from mails and advertisements carry for somebody else's statistics; no page reads it. */
const TRACKING = /^(utm_\w+|fbclid|gclid|gbraid|wbraid|msclkid|mc_cid|mc_eid)$/

/** Whose further pages are everybody's as well. They end, so that nobody can fill the memory with numbers. */
const LONG_LISTS = new Set(['/products', '/gallery', '/size-guide'])

/**
 * The address under which a page is kept: its path, without what only concerns statistics. `null` for what is
 * asked once, such as a search.
 */
export function keptAddress(method: string | undefined, pathAndQuery: string): string | null {
  if (method !== 'GET' && method !== 'HEAD') return null
  const mark = pathAndQuery.indexOf('?')
  const path = mark < 0 ? pathAndQuery : pathAndQuery.slice(0, mark)
  if (!path.startsWith('/') || path.startsWith('//')) return null
  if (mark < 0) return path

  const others = [...new URLSearchParams(pathAndQuery.slice(mark))].filter(([name]) => !TRACKING.test(name))
  if (others.length === 0) return path
  // React Router names the routes whose data it wants when it has the rest.
  const [[name, value] = ['', '']] = others
  const isData = path.endsWith('.data') && others.length === 1 && name === '_routes'
  if (isData) return `${path}?_routes=${encodeURIComponent(value)}`
  const isPage =
    LONG_LISTS.has(path) && others.length === 1 && name === 'page' && /^[1-9]\d{0,3}$/.test(value)
  return isPage ? `${path}?page=${value}` : null
}
