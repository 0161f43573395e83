import { lineKey, withLine, type CartAvailability, type CartChange, type CartLine } from './cart.ts'

/** Returns the change that takes over names and prices, and joins lines that thereby become one. */
export function catalogueChange(availability: CartAvailability): CartChange {
  // Backwards, because the line that is added last comes first.
  const follow = (lines: readonly CartLine[]) =>
    lines
      .map((line) => currentLine(line, availability))
      .reduceRight<CartLine[]>((current, line) => withLine(current, line), [])
  return { kind: 'follow-catalogue', follow }
}

/** Returns the line itself when the catalogue has nothing else for it. */
function currentLine(line: CartLine, availability: CartAvailability): CartLine {
  const { priceCents = null, variant } = availability.get(lineKey(line)) ?? {}
  const current = { ...line, ...variant, priceCents: priceCents ?? line.priceCents }
  return catalogueFacts(current) === catalogueFacts(line) ? line : current
}

const catalogueFacts = ({ productId, variantId, productName, productVariant, priceCents }: CartLine) =>
  JSON.stringify([productId, variantId, productName, productVariant, priceCents])

/** Whether the catalogue has another name or price for one of the lines. */
export function isOutdated(lines: readonly CartLine[], availability: CartAvailability): boolean {
  return lines.some((line) => currentLine(line, availability) !== line)
}
