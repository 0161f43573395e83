/** Where a parcel is followed: the courier's address with the parcel's number in it, or the courier's own search. */
export function trackingLink(template: string | null, trackingNumber: string | null): string | null {
  if (!template) return null
  if (!template.includes('{number}')) return template
  return trackingNumber ? template.replaceAll('{number}', encodeURIComponent(trackingNumber.trim())) : null
}
