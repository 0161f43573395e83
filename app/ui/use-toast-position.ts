import { useLayoutEffect, type RefObject } from 'react'

const CHECK_EVERY_MS = 150

interface Positioning {
  positionToasts: (region: HTMLElement) => void
  keepInViewport: (region: HTMLElement) => void
}

const putInCorner = (region: HTMLElement) => Object.assign(region.style, { right: '16px', bottom: '16px' })

/** The attributes that `positionToasts` sets on the region. */
const POSITION_ATTRIBUTES = ['style', 'data-compact', 'data-over']

let positioning: Positioning | null = null

/** Loaded with the first toast, because most first visits see none. */
async function loadPositioning(): Promise<void> {
  positioning = await import('./position-toasts.ts')
}

/**
 * Keeps the toasts where they cover no control. Polls while toasts are shown, because the page may scroll, open something or move the
 * focus. Toasts do not move while the pointer moves on one of them or one has the focus. If the code fails to load, toasts are shown
 * in a corner, and the next toast loads it again.
 */
export function useToastPosition(region: RefObject<HTMLElement | null>, isShown: boolean): void {
  useLayoutEffect(() => {
    // The next toast starts at its preferred position, in full size.
    if (!isShown) return POSITION_ATTRIBUTES.forEach((name) => region.current?.removeAttribute(name))
    let lastScrollY = scrollY
    const check = () => {
      const element = region.current
      if (!positioning || !element) return
      if (element.querySelector('[data-in-use=true]')) return positioning.keepInViewport(element)
      const isScrolling = lastScrollY !== scrollY
      lastScrollY = scrollY
      if (!isScrolling) positioning.positionToasts(element)
    }
    check()
    if (!positioning) loadPositioning().then(check, () => region.current && putInCorner(region.current))
    const timer = setInterval(check, CHECK_EVERY_MS)
    return () => clearInterval(timer)
  })
}
