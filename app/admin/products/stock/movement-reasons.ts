/** Why stock changed, as the database keeps it. */
export type MovementReason = 'counted' | 'made' | 'sold' | 'returned' | 'expo' | 'lost'

export const REASON_LABELS: Record<MovementReason, string> = {
  counted: 'Counted',
  made: 'Made',
  sold: 'Sold',
  returned: 'Came back',
  expo: 'Sold at an expo',
  lost: 'Damaged or lost',
}

/** `+3`, `−2`: with a minus sign that is as wide as the plus. */
export function signedQuantity(quantity: number): string {
  return quantity > 0 ? `+${quantity}` : `−${Math.abs(quantity)}`
}
