/** How long the scripts wait for a picture that does not come. */
const AT_LATEST_MS = 8000

/**
 * Starts the page's scripts once what is seen has been painted, or as soon as somebody touches the page: until then the line
 * and the processor belong to the picture, the letters and the looks. What is tapped meanwhile is remembered
 * (`app/early-taps`).
 *
 * The page carries this function's source inline, so it uses nothing from outside itself.
 */
export function startLate(atLatestMs: number): void {
  const touches = ['pointerdown', 'keydown', 'input']

  const start = () => {
    // Touched before the page has come as far as the scripts: they stand at its end.
    if (document.readyState === 'loading') return document.addEventListener('DOMContentLoaded', start)
    for (const touch of touches) removeEventListener(touch, start, true)
    for (const link of document.querySelectorAll<HTMLLinkElement>('link[rel=late-modulepreload]'))
      link.rel = 'modulepreload'
    const waiting = document.querySelector('script[type=late-module]')
    if (!waiting) return
    const script = document.createElement('script')
    script.type = 'module'
    script.textContent = waiting.textContent
    waiting.replaceWith(script)
  }

  // A frame that is asked for within a frame begins when the first is painted. A page in the background paints none.
  const startAfterPaint = () =>
    document.hidden ? start() : requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(start)))

  addEventListener('load', startAfterPaint, { once: true })
  for (const touch of touches) addEventListener(touch, start, { capture: true, passive: true })
  setTimeout(start, atLatestMs)
}

export const START_LATE = `(${startLate.toString()})(${AT_LATEST_MS})`
