import type { LineIdentity, LineProblem } from './cart.ts'
import { launchText } from './launch.ts'
import { formatPrice } from './money.ts'

export function problemText(problem: LineProblem, quantity: number): string {
  switch (problem.kind) {
    case 'not-sold':
      return 'No longer sold. Please remove it.'
    case 'not-launched':
      return `On sale from ${launchText(problem.launchAt)}. Please remove it for now.`
    case 'sold-out':
      return 'Sold out in the meantime. Please remove it.'
    case 'too-many':
      return `Only ${problem.available} left; you have ${problem.wanted}${problem.wanted > quantity ? ', with and without hooks' : ''}.`
  }
}

export function priceChangeText(beforeCents: number, nowCents: number): string {
  return `The price changed from ${formatPrice(beforeCents)} to ${formatPrice(nowCents)}.`
}

/** Says that these lines of a visitor's cart are not in the customer's. */
export function leftOutText(lines: readonly LineIdentity[]): string {
  const names = lines.map(({ productName, productVariant }) => `${productName}, ${productVariant}`)
  return lines.length === 1
    ? `${names.join('')} isn't for sale right now, so it's not in your cart.`
    : `These lures aren't for sale right now, so they're not in your cart: ${names.join('; ')}.`
}
