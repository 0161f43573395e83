import { useCallback, useEffect, useMemo, useState } from 'react'
import { requestOrder } from '#app/data/request-order.ts'
import { showChanges, type CartAvailability, type KnownPrices } from '#domain/cart.ts'
import { agreeToPrices, knownPrices, pricesOf } from './known-prices.ts'
import type { StoredCart } from './use-stored-cart.ts'

const NOT_LOADED: CartAvailability = new Map()

/** Adds to the lines what has changed since the buyer added them. */
export function useShownLines({ status, lines, change, fetchAvailability }: StoredCart) {
  const [availability, setAvailability] = useState(NOT_LOADED)
  const [prices, setPrices] = useState<KnownPrices>({})
  const [ask] = useState(requestOrder)

  useEffect(() => {
    // localStorage cannot be read while rendering, because the server renders too.
    // oxlint-disable-next-line react/set-state-in-effect
    if (status === 'ready') setPrices(knownPrices(lines))
  }, [status, lines])

  /** Updates names, prices and availability. Never rejects; on failure the lines stay as they are. */
  const check = useCallback(async () => {
    if (lines.length === 0) return
    const isCurrent = ask()
    try {
      const current = await fetchAvailability(lines)
      if (!isCurrent()) return
      setAvailability(current)
      const { catalogueChange, isOutdated } = await import('#domain/follow-catalogue.ts')
      if (isOutdated(lines, current)) await change(catalogueChange(current))
    } catch (error) {
      // The database checks again before it accepts an order.
      console.error('prices and stock of the cart were not checked', error)
    }
  }, [lines, change, fetchAvailability, ask])

  const agree = useCallback(() => {
    agreeToPrices(lines)
    setPrices(pricesOf(lines))
  }, [lines])

  const shown = useMemo(() => showChanges(lines, { availability, prices }), [lines, availability, prices])
  return { shown, check, agree }
}
