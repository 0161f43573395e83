import { useCallback, useEffect, useMemo, useState } from 'react'
import { localStore, readStoredJson, writeStoredJson } from '#app/ui/browser-store.ts'
import { bodiesWanted, lineKey, mustBeMade, problemOf, type CartChange, type NewLine } from '#domain/cart.ts'
import type { CartAvailability, CartSnapshot, CartStorage, ShownLine } from './cart-context.ts'

/** The prices that the buyer has seen, in cents by line key; a different current price is shown as a change. */
type KnownPrices = Readonly<Record<string, number>>

const KNOWN_PRICES_KEY = 'cart_known_prices'
const NOT_LOADED: CartAvailability = new Map()

interface CheckedCart extends CartSnapshot, Pick<CartStorage, 'fetchAvailability'> {
  change: (change: CartChange) => Promise<unknown>
}

/** Adds to the lines what has changed since the buyer added them. */
export function useShownLines({ status, lines, change, fetchAvailability }: CheckedCart) {
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
      for (const line of lines) {
        const key = lineKey(line)
        const priceCents = current.get(key)?.priceCents ?? line.priceCents
        if (priceCents !== line.priceCents) await change({ kind: 'reprice', key, priceCents })
      }
    } catch (error) {
      // The database checks again before it accepts an order.
      console.error('prices and stock of the cart were not checked', error)
    }
  }, [lines, change, fetchAvailability])

  const agree = useCallback(() => {
    agreeToPrices(lines)
    setPrices(pricesOf(lines))
  }, [lines])

  const shown = useMemo(
    () =>
      lines.map((line): ShownLine => {
        const known = prices[lineKey(line)] ?? line.priceCents
        const current = availability.get(lineKey(line))
        const wanted = bodiesWanted(lines, line)
        return {
          ...line,
          previousPriceCents: known === line.priceCents ? null : known,
          problem: problemOf(line, current, wanted),
          mustBeMade: mustBeMade(current, wanted),
        }
      }),
    [lines, prices, availability],
  )
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
