import type { Courier } from './order.ts'

/** Where a parcel is followed: at the courier's page for its number, or at the courier's own search when it has no such page. */
export function trackingAddress(
  { tracking_url }: Pick<Courier, 'tracking_url'>,
  trackingNumber: string,
): string | null {
  return tracking_url?.replaceAll('{number}', encodeURIComponent(trackingNumber)) ?? null
}
