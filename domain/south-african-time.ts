import { AHEAD_OF_UTC_MS } from './today.ts'

/** A date whose UTC parts are those of the moment in South Africa. */
export const inSouthAfrica = (moment: string) => new Date(Date.parse(moment) + AHEAD_OF_UTC_MS)

/** `2026-11-24T19:00`: the date and time in South Africa, as date fields write them. */
export function southAfricanDateTime(moment: string): string {
  return inSouthAfrica(moment).toISOString().slice(0, 16)
}

/** The moment of a date and time in South Africa, as the database writes it; null when the text is not `2026-11-24T19:00`. */
export function momentOf(dateTime: string): string | null {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(dateTime)) return null
  const moment = new Date(`${dateTime}:00+02:00`)
  return Number.isNaN(moment.getTime()) ? null : `${moment.toISOString().slice(0, 19)}+00:00`
}
