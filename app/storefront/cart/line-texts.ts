import type { LineProblem } from '#domain/cart.ts'
import { formatPrice } from '#domain/money.ts'

/** Shown beside the disabled checkout button while a line cannot be ordered. */
export const BLOCKED_TEXT = 'Change or remove the marked lines to continue.'

export function problemText(problem: LineProblem, quantity: number): string {
  switch (problem.kind) {
    case 'not-sold':
      return 'No longer sold. Please remove it.'
    case 'sold-out':
      return 'Sold out in the meantime. Please remove it.'
    case 'too-many':
      return `Only ${problem.available} left; you have ${problem.wanted}${problem.wanted > quantity ? ', with and without hooks' : ''}.`
  }
}

export function priceChangeText(beforeCents: number, nowCents: number): string {
  return `The price changed from ${formatPrice(beforeCents)} to ${formatPrice(nowCents)}.`
}
