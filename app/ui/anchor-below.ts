const GAP_PX = 8
const EDGE_PX = 8

/**
 * Keeps a popover below its button, right edges aligned. Returns a function that stops it. Measures the position, because Safari
 * before 26 and Firefox before 147 lack CSS anchor positioning.
 */
export function anchorBelow(button: HTMLElement, popover: HTMLElement): () => void {
  const place = () => {
    const { bottom, right } = button.getBoundingClientRect()
    popover.style.top = `${bottom + GAP_PX}px`
    popover.style.right = `${Math.max(EDGE_PX, document.documentElement.clientWidth - right)}px`
  }
  place()
  addEventListener('scroll', place, { passive: true })
  addEventListener('resize', place)
  return () => {
    removeEventListener('scroll', place)
    removeEventListener('resize', place)
  }
}
