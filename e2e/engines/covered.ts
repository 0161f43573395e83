export interface ToastBox {
  top: number
  height: number
  isInside: boolean
}

/** Runs in the page; self-contained. `null` while no toast is shown. */
export function toastBox(): ToastBox | null {
  const region = document.querySelector('[popover=manual][data-surface]')
  if (!region?.firstElementChild) return null
  const { left, top, right, bottom, height } = region.getBoundingClientRect()
  return { top, height, isInside: left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight }
}

/** Runs in the page; self-contained. Returns the visible controls that a toast or the cookie banner covers. */
export function coveredControlsInPage(): string[] {
  const COVERS = '[popover=manual][data-surface], section[aria-labelledby=cookie-question]'
  // A toast over a control has no pointer events, so elementFromPoint would miss it.
  if (document.querySelector('[data-over] > *')) return ['no place is free for the toasts']
  const dialog = [...document.querySelectorAll('dialog[open]')].at(-1)
  const controls = (dialog ?? document).querySelectorAll('a[href], button, input, select, textarea')
  return [...controls].flatMap((control) => {
    if (control.closest(COVERS) || getComputedStyle(control).visibility === 'hidden') return []
    // A wrapped link has a box per line.
    const points = [...control.getClientRects()].flatMap(({ left, top, right, bottom }) => [
      [(left + right) / 2, (top + bottom) / 2] as const,
      [left + 3, top + 3] as const,
      [right - 3, bottom - 3] as const,
    ])
    const isCovered = points.some(([x, y]) => document.elementFromPoint(x, y)?.closest(COVERS))
    return isCovered
      ? [control.getAttribute('aria-label') ?? control.textContent?.trim() ?? control.localName]
      : []
  })
}
