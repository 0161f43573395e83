import type { CartLine } from '#domain/cart.ts'

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

/** What keeps a line from being bought as it stands. */
export type LineProblem =
  | { kind: 'not-sold' }
  | { kind: 'sold-out' }
  | { kind: 'too-many'; available: number }

/** Whether some of it has to be made before it can be sent. */
export function isMadeFirst({ quantity }: CartLine, standing: LineStanding | undefined): boolean {
  return standing !== undefined && standing.isMadeToOrder && standing.available < quantity
}

export function problemOf(line: CartLine, standing: LineStanding | undefined): LineProblem | null {
  if (!standing) return null
  if (standing.priceCents === null) return { kind: 'not-sold' }
  if (standing.isMadeToOrder) return null
  if (standing.available < 1) return { kind: 'sold-out' }
  if (standing.available < line.quantity) return { kind: 'too-many', available: standing.available }
  return null
}
