import { useEffect, useEffectEvent } from 'react'
import { useWindowEvent } from '#app/ui/use-window-event.ts'

/** After this time a page that is still open has not left: the browser's Stop causes no event. */
const LEAVES_WITHIN_MS = 20_000

interface Departure {
  /** The page is leaving for the payment. */
  isLeaving: boolean
  onReturn: () => void
}

/**
 * Calls back when the page is not leaving for the payment any more, although it is still busy with it: the buyer stopped the
 * browser, or Back restored the page from the back/forward cache.
 */
export function useReturnFromPayment({ isLeaving, onReturn }: Departure): void {
  const giveUp = useEffectEvent(onReturn)
  useEffect(() => {
    if (!isLeaving) return
    const timer = setTimeout(() => giveUp(), LEAVES_WITHIN_MS)
    return () => clearTimeout(timer)
  }, [isLeaving])
  useWindowEvent('pageshow', ({ persisted }) => {
    if (persisted) onReturn()
  })
}
