import { todayInSouthAfrica } from '#domain/today.ts'
import { shop } from '#shop'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

const relative = new Intl.RelativeTimeFormat(shop.locale, { numeric: 'auto' })
const sameYear = new Intl.DateTimeFormat(shop.locale, {
  day: 'numeric',
  month: 'short',
  timeZone: shop.timeZone,
})
const otherYear = new Intl.DateTimeFormat(shop.locale, {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: shop.timeZone,
})
/** Returns `12 minutes ago`, `yesterday`, `in 3 days`, or beyond a week the date. Days are those of the shop's time zone. */
export function relativeDate(date: Date, now: Date): string {
  const minutes = Math.round((date.getTime() - now.getTime()) / MINUTE_MS)
  if (minutes === 0) return 'just now'
  if (Math.abs(minutes) < 60) return relative.format(minutes, 'minute')

  const days = (dayNumber(date) - dayNumber(now)) / DAY_MS
  if (days === 0) return relative.format(Math.trunc(minutes / 60), 'hour')
  if (Math.abs(days) < 7) return relative.format(days, 'day')
  const isSameYear = todayInSouthAfrica(date).slice(0, 4) === todayInSouthAfrica(now).slice(0, 4)
  return (isSameYear ? sameYear : otherYear).format(date)
}

function dayNumber(date: Date): number {
  return Date.parse(todayInSouthAfrica(date))
}
