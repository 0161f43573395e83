import { MAX_QUANTITY } from './quantity.ts'

/** What a line is about; two with the same three are one line. */
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
  /** ISO time; the newest line stands first. */
  createdAt: string
}

/** The reason why a line cannot be ordered as it stands. */
export type LineProblem =
  | { kind: 'not-sold' }
  | { kind: 'sold-out' }
  | { kind: 'too-many'; available: number; wanted: number; changeTo: number }

/** `reprice` follows the catalogue; the others follow the buyer. */
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

interface Checked {
  problem: LineProblem | null
}

/** A line that is sold out or no longer sold can only be removed; one with too many can be changed, and counts as it stands until then. */
export function isOrderable({ problem }: Checked): boolean {
  return !problem || problem.kind === 'too-many'
}

/** The lines that the count, the total and free shipping are about. */
export function orderableLines<Line extends Checked>(lines: readonly Line[]): Line[] {
  return lines.filter(isOrderable)
}

export function countItems(lines: readonly { quantity: number }[]): number {
  return lines.reduce((count, line) => count + line.quantity, 0)
}

/** The quantity a line has after `more` were added to it. */
export function raised(quantity: number, more: number): number {
  return Math.min(quantity + more, MAX_QUANTITY)
}

/** The cart after a change. A line that is new gets what `asLine` makes of it. */
export function applyChange(
  lines: readonly CartLine[],
  change: CartChange,
  asLine: (line: NewLine) => CartLine,
): CartLine[] {
  switch (change.kind) {
    case 'add': {
      const key = lineKey(change.line)
      const existing = findLine(lines, key)
      if (!existing) return [asLine(change.line), ...lines]
      return changeLine(lines, key, { quantity: raised(existing.quantity, change.line.quantity) })
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
