export type MovementReason = 'counted' | 'made' | 'sold' | 'returned' | 'expo' | 'lost'

export const REASON_LABELS: Record<MovementReason, string> = {
  counted: 'Counted',
  made: 'Made',
  sold: 'Sold',
  returned: 'Returned',
  expo: 'Sold at an expo',
  lost: 'Damaged or lost',
}

/** `+3`, `−2`, with a true minus sign. */
export function signedQuantity(quantity: number): string {
  if (quantity === 0) return '0'
  return quantity > 0 ? `+${quantity}` : `−${Math.abs(quantity)}`
}
