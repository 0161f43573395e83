import { lineKey, type CartLine } from '#domain/cart.ts'
import { localStore } from '#app/ui/browser-store.ts'

/** The price of each line as the buyer knows it, in cents by line key: what "was R400" is said from. */
export type KnownPrices = Readonly<Record<string, number>>

const KEY = 'cart_known_prices'

/** What the buyer knows of these lines; a line seen for the first time is known from now on. */
export function knownPrices(lines: readonly CartLine[]): KnownPrices {
  const remembered = read()
  return write(
    Object.fromEntries(lines.map((line) => [lineKey(line), remembered[lineKey(line)] ?? line.priceCents])),
  )
}

/** The buyer has agreed to what these lines cost now. */
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
    // Storage is full; the cart works without this memory.
  }
  return prices
}
