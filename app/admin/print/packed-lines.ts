import type { OrderLine } from '#domain/order.ts'

export type PackedLine = Pick<OrderLine, 'id' | 'name' | 'variant' | 'renamedVariant' | 'hooks' | 'quantity'>

/** Returns what goes into the parcel: items that a refund took off the order are not packed. */
export function packedLines(lines: (PackedLine & Pick<OrderLine, 'returned'>)[]): PackedLine[] {
  return lines
    .map(({ returned, ...line }) => ({ ...line, quantity: line.quantity - returned }))
    .filter(({ quantity }) => quantity > 0)
}
