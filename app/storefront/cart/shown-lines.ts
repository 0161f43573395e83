import { useCallback, useEffect, useMemo, useState } from 'react'
import { localStore, readStoredJson, writeStoredJson } from '#app/ui/browser-store.ts'
import { lineKey, showChanges, type CartAvailability, type KnownPrices, type NewLine } from '#domain/cart.ts'
import type { StoredCart } from './use-stored-cart.ts'

const KNOWN_PRICES_KEY = 'cart_known_prices'
const NOT_LOADED: CartAvailability = new Map()

/** Adds to the lines what has changed since the buyer added them. */
export function useShownLines({ status, lines, change, fetchAvailability }: StoredCart) {
  const [availability, setAvailability] = useState(NOT_LOADED)
  const [prices, setPrices] = useState<KnownPrices>({})

  useEffect(() => {
    // localStorage cannot be read while rendering, because the server renders too.
    // oxlint-disable-next-line react/set-state-in-effect
    if (status === 'ready') setPrices(knownPrices(lines))
  }, [status, lines])

  /** Updates prices and availability. Never rejects; on failure the lines stay as they are. */
  const check = useCallback(async () => {
    if (lines.length === 0) return
    try {
      const current = await fetchAvailability(lines)
      setAvailability(current)
      const nowCents = (line: NewLine) => current.get(lineKey(line))?.priceCents ?? line.priceCents
      const hasChanged = lines.some((line) => nowCents(line) !== line.priceCents)
      if (hasChanged) await change({ kind: 'reprice', availability: current })
    } catch (error) {
      // The database checks again before it accepts an order.
      console.error('prices and stock of the cart were not checked', error)
    }
  }, [lines, change, fetchAvailability])

  const agree = useCallback(() => {
    agreeToPrices(lines)
    setPrices(pricesOf(lines))
  }, [lines])

  const shown = useMemo(() => showChanges(lines, { availability, prices }), [lines, availability, prices])
  return { shown, check, agree }
}

/** Stores the current prices of these lines as known. */
export function agreeToPrices(lines: readonly NewLine[]): void {
  writeStoredJson(localStore(), KNOWN_PRICES_KEY, { ...readPrices(), ...pricesOf(lines) })
}

/** Returns the known prices of these lines and forgets all others. A new line's price becomes known. */
function knownPrices(lines: readonly NewLine[]): KnownPrices {
  const known = readPrices()
  const current = Object.entries(pricesOf(lines))
  const prices = Object.fromEntries(current.map(([key, cents]) => [key, known[key] ?? cents]))
  writeStoredJson(localStore(), KNOWN_PRICES_KEY, prices)
  return prices
}

function pricesOf(lines: readonly NewLine[]): KnownPrices {
  return Object.fromEntries(lines.map((line) => [lineKey(line), line.priceCents]))
}

function readPrices(): KnownPrices {
  const stored = Object.entries(readStoredJson(localStore(), KNOWN_PRICES_KEY) ?? {})
  return Object.fromEntries(stored.filter(([, cents]) => Number.isInteger(cents)))
}
