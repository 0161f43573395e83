import { MAX_QUANTITY } from './quantity.ts'

/** The key of a line: a cart has at most one line for each combination. */
export interface LineIdentity {
  productName: string
  productVariant: string
  withHooks: boolean
}

export interface NewLine extends LineIdentity {
  priceCents: number
  quantity: number
  imageUrl: string | null
}

export interface CartLine extends NewLine {
  id: string
  /** ISO time. The newest line comes first. */
  createdAt: string
}

/** The reason why a line cannot be ordered with its present quantity. */
export type LineProblem =
  | { kind: 'not-sold' }
  | { kind: 'sold-out' }
  | { kind: 'too-many'; available: number; wanted: number; changeTo: number }

/** `reprice` comes from the catalogue, the other changes from the buyer. */
export type CartChange =
  | { kind: 'add'; line: NewLine }
  | { kind: 'set-quantity'; key: string; quantity: number }
  | { kind: 'remove'; key: string }
  | { kind: 'reprice'; key: string; priceCents: number }
  | { kind: 'clear' }

export function lineKey({ productName, productVariant, withHooks }: LineIdentity): string {
  return JSON.stringify([productName, productVariant, withHooks])
}

export function findLine(lines: readonly CartLine[], key: string): CartLine | undefined {
  return lines.find((line) => lineKey(line) === key)
}

interface WithProblem {
  problem: LineProblem | null
}

/** False for lines that can only be removed (sold out or not sold). Lines with too many units count until the buyer changes them. */
export function isOrderable({ problem }: WithProblem): boolean {
  return !problem || problem.kind === 'too-many'
}

/** The lines that count towards the number of items, the total and free shipping. */
export function orderableLines<Line extends WithProblem>(lines: readonly Line[]): Line[] {
  return lines.filter(isOrderable)
}

export function countItems(lines: readonly { quantity: number }[]): number {
  return lines.reduce((count, line) => count + line.quantity, 0)
}

/** Returns the sum, at most MAX_QUANTITY. */
export function addQuantity(quantity: number, more: number): number {
  return Math.min(quantity + more, MAX_QUANTITY)
}

/** Returns the cart after a change. `createLine` gives new lines an id and a time. */
export function applyChange(
  lines: readonly CartLine[],
  change: CartChange,
  createLine: (line: NewLine) => CartLine,
): CartLine[] {
  switch (change.kind) {
    case 'add': {
      const key = lineKey(change.line)
      const existing = findLine(lines, key)
      if (!existing) return [createLine(change.line), ...lines]
      return changeLine(lines, key, { quantity: addQuantity(existing.quantity, change.line.quantity) })
    }
    case 'set-quantity':
      if (change.quantity < 1) return lines.filter((line) => lineKey(line) !== change.key)
      return changeLine(lines, change.key, { quantity: Math.min(change.quantity, MAX_QUANTITY) })
    case 'remove':
      return lines.filter((line) => lineKey(line) !== change.key)
    case 'reprice':
      return changeLine(lines, change.key, { priceCents: change.priceCents })
    case 'clear':
      return []
  }
}

function changeLine(lines: readonly CartLine[], key: string, change: Partial<CartLine>): CartLine[] {
  return lines.map((line) => (lineKey(line) === key ? { ...line, ...change } : line))
}
