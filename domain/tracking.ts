/** Returns the courier's tracking URL with the tracking number filled in, or `null` without a valid template or number. */
export function trackingLink(template: string | null, trackingNumber: string | null): string | null {
  if (!template || trackingUrlError(template)) return null
  return trackingNumber ? template.replaceAll('{number}', encodeURIComponent(trackingNumber.trim())) : null
}

const TRACKING_URL = /^https:\/\/[A-Za-z0-9.-]+(:\d+)?[/?][^\s"<>\\]*$/

/** Returns the error of a tracking URL template, as the database's constraint; `null` for a valid or empty one. */
export function trackingUrlError(template: string): string | null {
  if (template === '') return null
  if (!template.startsWith('https://')) return 'Start with https://'
  if (!template.includes('{number}')) return 'Put {number} where the tracking number goes'
  return template.length <= 2048 && TRACKING_URL.test(template) ? null : 'This is not a web address'
}
