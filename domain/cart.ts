import { launchText } from './launch.ts'
import { formatPrice } from './money.ts'
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
  | { kind: 'not-launched'; launchAt: string }
  | { kind: 'sold-out' }
  | { kind: 'too-many'; available: number; wanted: number; changeTo: number }

/** The current price and stock for a line. */
export interface LineAvailability {
  /** `null` when it is no longer sold with this colour and hook choice. */
  priceCents: number | null
  /** How many are in stock for this buyer. */
  available: number
  isMadeToOrder: boolean
  /** When an announced product goes on sale; `null` for every other. */
  launchAt: string | null
}

/** By line key. */
export type CartAvailability = ReadonlyMap<string, LineAvailability>

/** The prices that the buyer has seen, in cents by line key; a different current price is shown as a change. */
export type KnownPrices = Readonly<Record<string, number>>

/** A line with the changes that the buyer must see before paying. */
export interface ShownLine extends CartLine {
  /** The price that the buyer last agreed to; `null` when it is unchanged. */
  previousPriceCents: number | null
  problem: LineProblem | null
  /** Part of the quantity is made to order, which delays delivery. */
  mustBeMade: boolean
}

/** `reprice` comes from the catalogue, the other changes from the buyer. */
export type CartChange =
  | { kind: 'add'; line: CartLine }
  | { kind: 'set-quantity'; key: string; quantity: number }
  | { kind: 'remove'; key: string }
  | { kind: 'reprice'; availability: CartAvailability }
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

/**
 * False for lines that can only be removed: sold out, no longer sold, or not on sale yet. A line with too many units counts until the
 * buyer changes it.
 */
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
function addQuantity(quantity: number, more: number): number {
  return Math.min(quantity + more, MAX_QUANTITY)
}

/** Returns the change that adds a line under a new id. */
export function addition(line: NewLine): CartChange {
  return { kind: 'add', line: { ...line, id: crypto.randomUUID(), createdAt: new Date().toISOString() } }
}

/** Returns the cart after a change. */
export function applyChange(lines: readonly CartLine[], change: CartChange): CartLine[] {
  switch (change.kind) {
    case 'add': {
      const key = lineKey(change.line)
      const existing = findLine(lines, key)
      if (!existing) return [change.line, ...lines]
      return changeLine(lines, key, { quantity: addQuantity(existing.quantity, change.line.quantity) })
    }
    case 'set-quantity':
      if (change.quantity < 1) return lines.filter((line) => lineKey(line) !== change.key)
      return changeLine(lines, change.key, { quantity: Math.min(change.quantity, MAX_QUANTITY) })
    case 'remove':
      return lines.filter((line) => lineKey(line) !== change.key)
    case 'reprice':
      return lines.map((line) => ({
        ...line,
        priceCents: change.availability.get(lineKey(line))?.priceCents ?? line.priceCents,
      }))
    case 'clear':
      return []
  }
}

function changeLine(lines: readonly CartLine[], key: string, change: Partial<CartLine>): CartLine[] {
  return lines.map((line) => (lineKey(line) === key ? { ...line, ...change } : line))
}

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
  const { launchAt } = availability
  if (launchAt) return { kind: 'not-launched', launchAt }
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
  return countItems(lines.filter(isSame))
}

/** Adds to the lines what has changed since the buyer added them. */
export function showChanges(
  lines: readonly CartLine[],
  { availability, prices }: { availability: CartAvailability; prices: KnownPrices },
): ShownLine[] {
  return lines.map((line) => {
    const known = prices[lineKey(line)] ?? line.priceCents
    const current = availability.get(lineKey(line))
    const wanted = bodiesWanted(lines, line)
    return {
      ...line,
      previousPriceCents: known === line.priceCents ? null : known,
      problem: problemOf(line, current, wanted),
      mustBeMade: mustBeMade(current, wanted),
    }
  })
}

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
