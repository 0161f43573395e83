import { lineKey, type CartLine } from '#domain/cart.ts'
import { localStore } from '#app/ui/browser-store.ts'

/** The prices that the buyer has seen, in cents by line key; a different current price is shown as a change. */
export type KnownPrices = Readonly<Record<string, number>>

const KEY = 'cart_known_prices'

/** Returns the known prices of these lines. A new line's price becomes known. */
export function knownPrices(lines: readonly CartLine[]): KnownPrices {
  const remembered = read()
  return write(
    Object.fromEntries(lines.map((line) => [lineKey(line), remembered[lineKey(line)] ?? line.priceCents])),
  )
}

/** Stores the current prices of these lines as known. */
export function agreeToPrices(lines: readonly CartLine[]): KnownPrices {
  return write({ ...read(), ...Object.fromEntries(lines.map((line) => [lineKey(line), line.priceCents])) })
}

function read(): KnownPrices {
  try {
    const stored: unknown = JSON.parse(localStore().getItem(KEY) ?? '{}')
    if (typeof stored !== 'object' || stored === null) return {}
    return Object.fromEntries(Object.entries(stored).filter(([, cents]) => Number.isInteger(cents)))
  } catch {
    return {}
  }
}

function write(prices: KnownPrices): KnownPrices {
  try {
    localStore().setItem(KEY, JSON.stringify(prices))
  } catch {
    // Storage is full: price changes are not shown, but the cart works.
  }
  return prices
}
