/** The limit of one cart line. */
export const MAX_QUANTITY = 999

/** Returns the new value of a quantity field: 1 for an empty input, `current` for an invalid one. */
export function parseQuantity(typed: string, current: number): number {
  const text = typed.trim()
  if (text === '') return 1
  if (!/^\d+$/.test(text)) return current
  const quantity = Number(text)
  if (quantity < 1) return current
  return Math.min(quantity, MAX_QUANTITY)
}
