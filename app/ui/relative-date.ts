import { dateFormat } from '#domain/dates.ts'
import { todayInSouthAfrica } from '#domain/today.ts'
import { shop } from '#shop'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

const relative = new Intl.RelativeTimeFormat(shop.locale, { numeric: 'auto' })
const sameYear = dateFormat({ day: 'numeric', month: 'short' })
const otherYear = dateFormat({ day: 'numeric', month: 'short', year: 'numeric' })

/** Returns `12 minutes ago`, `yesterday`, `in 3 days`, or beyond a week the date. Days are those of the shop's time zone. */
export function relativeDate(date: Date, now: Date): string {
  const minutes = Math.round((date.getTime() - now.getTime()) / MINUTE_MS)
  if (minutes === 0) return 'just now'
  if (Math.abs(minutes) < 60) return relative.format(minutes, 'minute')

  const [day, today] = [todayInSouthAfrica(date), todayInSouthAfrica(now)]
  const days = (Date.parse(day) - Date.parse(today)) / DAY_MS
  if (days === 0) return relative.format(Math.trunc(minutes / 60), 'hour')
  if (Math.abs(days) < 7) return relative.format(days, 'day')
  return (day.slice(0, 4) === today.slice(0, 4) ? sameYear : otherYear)(date)
}
