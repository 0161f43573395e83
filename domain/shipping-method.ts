/** For orders that staff enter: no address and no shipping fee. The checkout does not offer it. */
export const HAND_OVER = 'hand-over'

const LABELS: Record<string, string> = {
  locker: 'Locker',
  'door-to-door': 'Door to door',
  [HAND_OVER]: 'Handed over in person',
}

export function shippingMethodLabel(method: string | null): string {
  return LABELS[method ?? ''] ?? 'Door to door'
}
