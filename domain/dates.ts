import { shop } from '#shop'

/** Returns a function that writes an instant in the shop's language and time zone. */
export function dateFormat(options: Intl.DateTimeFormatOptions): (at: string | Date) => string {
  const format = new Intl.DateTimeFormat(shop.locale, { timeZone: shop.timeZone, ...options })
  return (at) => format.format(new Date(at))
}
