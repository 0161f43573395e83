import type { ManualOrderLine, OrderableColour } from './manual-order.ts'

export function sortInStockFirst(colours: readonly OrderableColour[]): OrderableColour[] {
  return colours.toSorted((a, b) => Number(isSoldOut(a)) - Number(isSoldOut(b)))
}

/** Preselected in a new line; undefined without colours. */
export function defaultColour(colours: readonly OrderableColour[]): OrderableColour | undefined {
  return sortInStockFirst(colours)[0]
}

export function colourStockText(colour: OrderableColour): string {
  if (colour.isMadeToOrder) return 'made to order'
  return isSoldOut(colour) ? 'sold out' : `${colour.available} left`
}

/** The error message for a line that exceeds the stock, or null. */
export function shortage(
  colour: OrderableColour,
  { quantity }: Pick<ManualOrderLine, 'quantity'>,
): string | null {
  if (isSoldOut(colour)) return 'This colour is sold out.'
  if (colour.isMadeToOrder || quantity <= colour.available) return null
  return `Only ${colour.available} left.`
}

function isSoldOut({ available, isMadeToOrder }: OrderableColour): boolean {
  return !isMadeToOrder && available <= 0
}
