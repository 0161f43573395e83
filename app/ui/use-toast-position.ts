import { useLayoutEffect, type RefObject } from 'react'

const LOOK_EVERY_MS = 150

interface Placing {
  positionToasts: (region: HTMLElement) => void
  keepInViewport: (region: HTMLElement) => void
}

const atAnEdge = (region: HTMLElement) => void Object.assign(region.style, { right: '16px', bottom: '16px' })
const withoutSignal: Placing = { positionToasts: atAnEdge, keepInViewport: () => {} }

/** What `positionToasts` sets on the region. */
const SETTLED = ['style', 'data-compact', 'data-over']

let placing: Placing | null = null

/** Most first visits see no toast, so what finds the place comes with the first one. Without a signal the toast stands at an edge. */
async function loadPlacing(): Promise<void> {
  placing ??= await import('./position-toasts.ts').catch(() => withoutSignal)
}

/**
 * Keeps the toasts where they cover no control. Pages move under them, so while toasts are shown their place is checked again and again:
 * something may be scrolled, opened, focused or pointed at. They stay where they are while they have the pointer or the focus themselves.
 */
export function useToastPosition(region: RefObject<HTMLElement | null>, isShown: boolean): void {
  useLayoutEffect(() => {
    // The next toast begins at its preferred place, in full size.
    if (!isShown) return SETTLED.forEach((name) => region.current?.removeAttribute(name))
    let scrolled = scrollY
    const look = () => {
      const element = region.current
      if (!placing || !element) return
      if (element.matches(':focus-within, :hover')) return placing.keepInViewport(element)
      const isScrolling = scrolled !== scrollY
      scrolled = scrollY
      if (!isScrolling) placing.positionToasts(element)
    }
    look()
    if (!placing) void loadPlacing().then(look)
    const timer = setInterval(look, LOOK_EVERY_MS)
    return () => clearInterval(timer)
  })
}
