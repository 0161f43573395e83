/** Upper bound when a picture never loads. */
const TIMEOUT_MS = 8000

/**
 * Starts the page's scripts after the first paint, or at the first interaction: until then the connection and the processor
 * belong to the picture, the fonts and the styles. `app/early-taps` records and replays taps that come before hydration.
 *
 * The page carries this function's source inline, so it must not reference anything outside itself.
 */
function deferHydration(timeoutMs: number): void {
  const interactions = ['pointerdown', 'keydown', 'input']

  const start = () => {
    // The scripts stand at the end of the document, which may not be parsed yet.
    if (document.readyState === 'loading') return document.addEventListener('DOMContentLoaded', start)
    for (const interaction of interactions) removeEventListener(interaction, start, true)
    for (const link of document.querySelectorAll<HTMLLinkElement>('link[rel=deferred-modulepreload]'))
      link.rel = 'modulepreload'
    const deferred = document.querySelector('script[type=deferred-module]')
    if (!deferred) return
    const script = document.createElement('script')
    script.type = 'module'
    script.textContent = deferred.textContent
    deferred.replaceWith(script)
  }

  // The second frame begins after the first is painted. A page in a background tab gets no frames.
  const startAfterPaint = () =>
    document.hidden ? start() : requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(start)))

  addEventListener('load', startAfterPaint, { once: true })
  for (const interaction of interactions)
    addEventListener(interaction, start, { capture: true, passive: true })
  setTimeout(start, timeoutMs)
}

export const DEFER_HYDRATION = `(${deferHydration.toString()})(${TIMEOUT_MS})`
