/** What a visitor's system asks of a page. Only in the browser. */

export function mayMove(): boolean {
  return !matchMedia('(prefers-reduced-motion: reduce)').matches
}

interface Connection {
  saveData?: boolean
  effectiveType?: string
}

/** Films cost data: not with Save-Data, not on a slow connection. */
export function mayStream(): boolean {
  const { connection } = navigator as Navigator & { connection?: Connection }
  if (!connection) return true
  return !connection.saveData && !['slow-2g', '2g', '3g'].includes(connection.effectiveType ?? '')
}
