import type { LineIdentity } from './cart.ts'

/** Says that these lines of a visitor's cart are not in the customer's. */
export function leftOutText(lines: readonly LineIdentity[]): string {
  const names = lines.map(({ productName, productVariant }) => `${productName}, ${productVariant}`)
  return lines.length === 1
    ? `${names.join('')} isn't for sale right now, so it's not in your cart.`
    : `These lures aren't for sale right now, so they're not in your cart: ${names.join('; ')}.`
}
