/** What a visitor's system asks of a page. Only in the browser. */

export function allowsMotion(): boolean {
  return !matchMedia('(prefers-reduced-motion: reduce)').matches
}

interface Connection {
  saveData?: boolean
  effectiveType?: string
}

/** Asked for by the visitor, or all that the connection allows. */
export function savesData(): boolean {
  const { connection } = navigator as Navigator & { connection?: Connection }
  if (!connection) return false
  return connection.saveData === true || ['slow-2g', '2g', '3g'].includes(connection.effectiveType ?? '')
}

/** Films cost data: not with Save-Data, not on a slow connection. */
export function allowsVideo(): boolean {
  return !savesData()
}
