import type { ShownLine } from '#domain/cart.ts'
import type { PlaceOrderResult } from './place-order.ts'

/** What the checkout shows besides its form. */
export interface ShownOrder {
  lines: ShownLine[]
  totalCents: number
  promoCode: string | null
}

/** Whether the message about a refused order still describes the order that the page shows. */
export function describesOrder(
  result: PlaceOrderResult,
  { refused, shown }: { refused: ShownOrder; shown: ShownOrder },
): boolean {
  switch (result.outcome) {
    case 'promo-refused':
      return shown.promoCode === null
    case 'sold-out':
      return shown.lines.some((line) => line.problem)
    case 'amount-too-small':
      return shown.totalCents === refused.totalCents
    case 'price-changed':
      // The page shows the refused total until the new one has loaded.
      return result.totalCents === null || [refused.totalCents, result.totalCents].includes(shown.totalCents)
    case 'placed':
    case 'invalid':
      return true
  }
}
