export function allowsMotion(): boolean {
  return !matchMedia('(prefers-reduced-motion: reduce)').matches
}

declare global {
  interface Navigator {
    /** Of Chromium only. */
    readonly connection?: { saveData?: boolean; effectiveType?: string }
  }
}

/** Whether the visitor turned on Save-Data or the connection is slow. */
export function savesData(): boolean {
  const { connection } = navigator
  if (!connection) return false
  return connection.saveData === true || ['slow-2g', '2g', '3g'].includes(connection.effectiveType ?? '')
}

export function allowsVideo(): boolean {
  return !savesData()
}
