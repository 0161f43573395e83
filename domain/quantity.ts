/** How many of one line: at least one, and no more than the cart takes. */
export const MAX_QUANTITY = 999

/** What a quantity field holds after `typed` was entered over `current`: empty starts again at 1, nonsense changes nothing. */
export function quantityAfter(typed: string, current: number): number {
  const text = typed.trim()
  if (text === '') return 1
  if (!/^\d+$/.test(text)) return current
  const quantity = Number(text)
  if (quantity < 1) return current
  return Math.min(quantity, MAX_QUANTITY)
}
