export const AHEAD_OF_UTC_MS = 2 * 60 * 60 * 1000

/** Returns the ISO date in South Africa, which has no daylight saving time. */
export function todayInSouthAfrica(now: Date): string {
  return new Date(now.getTime() + AHEAD_OF_UTC_MS).toISOString().slice(0, 10)
}

/** Spelled out, because the names of Intl differ between the versions of Node and browsers, and hydration compares them. */
export const WEEKDAYS = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ')
export const MONTHS =
  'January February March April May June July August September October November December'.split(' ')
