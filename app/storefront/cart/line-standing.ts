import type { CartLine, LineIdentity, LineProblem } from '#domain/cart.ts'

/** How the catalogue stands to a line now. */
export interface LineStanding {
  /** `null` when it is no longer sold like this. */
  priceCents: number | null
  /** How many are on the shelf for this buyer. */
  available: number
  /** What is not on the shelf is made. */
  isMadeToOrder: boolean
}

export type Standings = ReadonlyMap<string, LineStanding>

/** Whether some of it has to be made before it can be sent. */
export function isMadeFirst(standing: LineStanding | undefined, wanted: number): boolean {
  return standing !== undefined && standing.isMadeToOrder && standing.available < wanted
}

/** `wanted`: of this body in all lines, because the same one is sold with hooks and without. */
export function problemOf(
  line: CartLine,
  standing: LineStanding | undefined,
  wanted: number,
): LineProblem | null {
  if (!standing) return null
  if (standing.priceCents === null) return { kind: 'not-sold' }
  if (standing.isMadeToOrder) return null
  if (standing.available < 1) return { kind: 'sold-out' }
  if (standing.available >= wanted) return null
  const changeTo = Math.max(0, standing.available - (wanted - line.quantity))
  return { kind: 'too-many', available: standing.available, wanted, changeTo }
}

/** How many bodies of this colour all lines want together. */
export function wantedBodies(lines: readonly CartLine[], line: Omit<LineIdentity, 'withHooks'>): number {
  const isSame = (other: CartLine) =>
    other.productName === line.productName && other.productVariant === line.productVariant
  return lines.filter(isSame).reduce((sum, { quantity }) => sum + quantity, 0)
}
