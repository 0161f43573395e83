import type { Colour, StaffOrderLine } from './staff-order.ts'

/** The colours as they are offered: sold-out ones after all that can be sold. */
export function sortInStockFirst(colours: readonly Colour[]): Colour[] {
  return colours.toSorted((a, b) => Number(isSoldOut(a)) - Number(isSoldOut(b)))
}

/** What a new line begins with. */
export function defaultColour(colours: readonly Colour[]): Colour | undefined {
  return sortInStockFirst(colours)[0]
}

export function stockText(colour: Colour): string {
  if (colour.isMadeToOrder) return 'made to order'
  return isSoldOut(colour) ? 'sold out' : `${colour.available} left`
}

/** Why the line cannot be ordered as it is, or null. */
export function shortage(colour: Colour, { quantity }: Pick<StaffOrderLine, 'quantity'>): string | null {
  if (isSoldOut(colour)) return 'This colour is sold out.'
  if (colour.isMadeToOrder || quantity <= colour.available) return null
  return `Only ${colour.available} left.`
}

function isSoldOut({ available, isMadeToOrder }: Colour): boolean {
  return !isMadeToOrder && available <= 0
}
