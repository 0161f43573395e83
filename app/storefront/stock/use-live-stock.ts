import { useEffect, useMemo, useState } from 'react'
import type { Product } from '#domain/catalogue.ts'
import { askAvailability, type Availability } from './availability.ts'

/**
 * The same lures with what is on the shelf now. A page is made once for everybody and may be a while old, in a cache or in a
 * tab that was left open; it asks again when it comes alive and whenever somebody returns to it. Until `isWanted` it does not ask.
 */
export function useLiveStock<Lure extends Product>(lures: Lure[], { isWanted = true } = {}): Lure[] {
  const ids = lures.map(({ id }) => id).join()
  const [available, setAvailable] = useState<Availability | null>(null)

  useEffect(() => {
    if (!isWanted || !ids) return
    const ask = () => {
      if (document.visibilityState !== 'visible') return
      // Without an answer the page's own figures stand; the cart and the database look again.
      askAvailability(ids).then(setAvailable, (error: unknown) =>
        console.error('the stock was not read', error),
      )
    }
    ask()
    document.addEventListener('visibilitychange', ask)
    return () => document.removeEventListener('visibilitychange', ask)
  }, [isWanted, ids])

  return useMemo(
    () => (available ? lures.map((lure) => withStock(lure, available)) : lures),
    [lures, available],
  )
}

function withStock<Lure extends Product>(lure: Lure, available: Availability): Lure {
  const variants = lure.variants.map((variant) => ({
    ...variant,
    available: available.get(variant.id) ?? variant.available,
  }))
  return { ...lure, variants }
}
