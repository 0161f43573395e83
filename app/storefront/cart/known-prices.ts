import { localStore, readStoredJson, writeStoredJson } from '#app/ui/browser-store.ts'
import { lineKey, nameKey, type KnownPrices, type NewLine } from '#domain/cart.ts'

const KNOWN_PRICES_KEY = 'cart_known_prices'

/** Stores the current prices of these lines as known. */
export function agreeToPrices(lines: readonly NewLine[]): void {
  writeStoredJson(localStore(), KNOWN_PRICES_KEY, { ...readPrices(), ...pricesOf(lines) })
}

/** Returns the known prices of these lines and forgets all others. A new line's price becomes known. */
export function knownPrices(lines: readonly NewLine[]): KnownPrices {
  const known = readPrices()
  // A line has the names as its key until it knows the id of its variant.
  const prices = Object.fromEntries(
    lines.map((line) => [lineKey(line), known[lineKey(line)] ?? known[nameKey(line)] ?? line.priceCents]),
  )
  writeStoredJson(localStore(), KNOWN_PRICES_KEY, prices)
  return prices
}

export function pricesOf(lines: readonly NewLine[]): KnownPrices {
  return Object.fromEntries(lines.map((line) => [lineKey(line), line.priceCents]))
}

function readPrices(): KnownPrices {
  const stored = Object.entries(readStoredJson(localStore(), KNOWN_PRICES_KEY) ?? {})
  return Object.fromEntries(stored.filter(([, cents]) => Number.isInteger(cents)))
}
