import { MAX_QUANTITY } from './quantity.ts'

/** What a line is of: a cart has at most one line for each combination. */
export interface LineIdentity {
  productName: string
  productVariant: string
  withHooks: boolean
  /** Identifies the variant when it is renamed. Missing in lines that an earlier release stored, and once the variant was deleted. */
  variantId?: string
}

/** The variant of a line under its present names. */
export interface LineVariant extends Omit<LineIdentity, 'withHooks'> {
  productId?: string
}

export interface NewLine extends LineIdentity {
  /** Missing in lines that an earlier release stored, and in those of a customer's cart. */
  productId?: string
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
  /** Missing when the catalogue no longer has it. */
  variant?: LineVariant
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

/** `follow-catalogue` takes over names and prices (follow-catalogue.ts), the other changes come from the buyer. */
export type CartChange =
  | { kind: 'add'; line: CartLine }
  | { kind: 'set-quantity'; line: LineIdentity; quantity: number }
  | { kind: 'remove'; line: LineIdentity }
  | { kind: 'follow-catalogue'; follow: (lines: readonly CartLine[]) => CartLine[] }
  | { kind: 'clear' }

/** The key of a line in maps. It survives a new name. */
export function lineKey({ variantId, productName, productVariant, withHooks }: LineIdentity): string {
  return JSON.stringify([variantId ?? [productName, productVariant], withHooks].flat())
}

/** The key of a line whose variant is known by its names only. */
export function nameKey(line: LineIdentity): string {
  return lineKey({ ...line, variantId: undefined })
}

/** Compares names only where a line has no id: after two variants swapped their names, equal names mean different lures. */
function isSameVariant(
  one: Omit<LineIdentity, 'withHooks'>,
  other: Omit<LineIdentity, 'withHooks'>,
): boolean {
  if (one.variantId && other.variantId) return one.variantId === other.variantId
  return one.productName === other.productName && one.productVariant === other.productVariant
}

/** Prefers the line of the same id to one of the same names. */
export function findLine<Line extends LineIdentity>(
  lines: readonly Line[],
  wanted: LineIdentity,
): Line | undefined {
  const key = lineKey(wanted)
  return (
    lines.find((line) => lineKey(line) === key) ??
    lines.find((line) => line.withHooks === wanted.withHooks && isSameVariant(line, wanted))
  )
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
    case 'add':
      return withLine(lines, change.line)
    case 'set-quantity':
      if (change.quantity < 1) return withoutLine(lines, change.line)
      return changeLine(lines, findLine(lines, change.line), {
        quantity: Math.min(change.quantity, MAX_QUANTITY),
      })
    case 'remove':
      return withoutLine(lines, change.line)
    case 'follow-catalogue':
      return change.follow(lines)
    case 'clear':
      return []
  }
}

/** A line that the cart already has takes the units. */
export function withLine(lines: readonly CartLine[], added: CartLine): CartLine[] {
  const existing = findLine(lines, added)
  if (!existing) return [added, ...lines]
  return changeLine(lines, existing, { quantity: addQuantity(existing.quantity, added.quantity) })
}

function withoutLine(lines: readonly CartLine[], removed: LineIdentity): CartLine[] {
  const existing = findLine(lines, removed)
  return lines.filter((line) => line !== existing)
}

function changeLine(
  lines: readonly CartLine[],
  changed: CartLine | undefined,
  change: Partial<CartLine>,
): CartLine[] {
  return lines.map((line) => (line === changed ? { ...line, ...change } : line))
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
  return countItems(lines.filter((other) => isSameVariant(other, line)))
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
