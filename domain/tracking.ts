/** The page on which a parcel is followed: the courier's tracking address with the parcel's number in it. */
export function trackingLink(template: string | null, trackingNumber: string | null): string | null {
  if (!template || trackingProblem(template)) return null
  return trackingNumber ? template.replaceAll('{number}', encodeURIComponent(trackingNumber.trim())) : null
}

const TRACKING_ADDRESS = /^https:\/\/[A-Za-z0-9.-]+(:\d+)?[/?][^\s"<>\\]*$/

/** What is wrong with a courier's tracking address, as the database would refuse it; `null` for a good one or none. */
export function trackingProblem(template: string): string | null {
  if (template === '') return null
  if (!template.startsWith('https://')) return 'Start with https://'
  if (!template.includes('{number}')) return 'Put {number} where the tracking number goes'
  return template.length <= 2048 && TRACKING_ADDRESS.test(template) ? null : 'This is not a web address'
}
