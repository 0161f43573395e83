import type { CartLine, LineIdentity, LineProblem } from '#domain/cart.ts'

/** The current price and stock for a line. */
export interface LineAvailability {
  /** `null` when it is no longer sold with this colour and hook choice. */
  priceCents: number | null
  /** How many are in stock for this buyer. */
  available: number
  isMadeToOrder: boolean
}

export type CartAvailability = ReadonlyMap<string, LineAvailability>

/** Returns true when part of the quantity must be made to order. */
export function mustBeMade(availability: LineAvailability | undefined, wanted: number): boolean {
  return availability !== undefined && availability.isMadeToOrder && availability.available < wanted
}

/** `wanted` counts this colour in all lines, because lines with and without hooks share its stock. */
export function problemOf(
  line: CartLine,
  availability: LineAvailability | undefined,
  wanted: number,
): LineProblem | null {
  if (!availability) return null
  if (availability.priceCents === null) return { kind: 'not-sold' }
  if (availability.isMadeToOrder) return null
  if (availability.available < 1) return { kind: 'sold-out' }
  if (availability.available >= wanted) return null
  const changeTo = Math.max(0, availability.available - (wanted - line.quantity))
  return { kind: 'too-many', available: availability.available, wanted, changeTo }
}

/** Returns the quantity of this colour in all lines, with and without hooks. */
export function bodiesWanted(lines: readonly CartLine[], line: Omit<LineIdentity, 'withHooks'>): number {
  const isSame = (other: CartLine) =>
    other.productName === line.productName && other.productVariant === line.productVariant
  return lines.filter(isSame).reduce((sum, { quantity }) => sum + quantity, 0)
}
