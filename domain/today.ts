export const AHEAD_OF_UTC_MS = 2 * 60 * 60 * 1000

/** Returns the ISO date in South Africa, which has no daylight saving time. */
export function todayInSouthAfrica(now: Date): string {
  return new Date(now.getTime() + AHEAD_OF_UTC_MS).toISOString().slice(0, 10)
}
