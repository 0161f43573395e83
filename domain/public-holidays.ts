/**
 * South Africa's public holidays, by the Public Holidays Act 36 of 1994: twelve days, and the Monday after each that falls
 * on a Sunday. Add one-off holidays that the president declares to `shop.shipping.closedOn`.
 *
 * Days are ISO dates (`2026-12-25`) without a time.
 */

const SAME_EVERY_YEAR = [
  '01-01',
  '03-21',
  '04-27',
  '05-01',
  '06-16',
  '08-09',
  '09-24',
  '12-16',
  '12-25',
  '12-26',
]

const SUNDAY = 0
const SATURDAY = 6

/** Returns the holidays of a year, including Mondays after Sundays, in order. */
export function publicHolidays(year: number): string[] {
  const easter = easterSunday(year)
  const days = [
    ...SAME_EVERY_YEAR.map((monthAndDay) => `${year}-${monthAndDay}`),
    addDays(easter, -2),
    addDays(easter, 1),
  ]
  const moved = days.filter((day) => weekday(day) === SUNDAY).map((day) => addDays(day, 1))
  return [...new Set([...days, ...moved])].toSorted()
}

/** Whether a day is from Monday to Friday, no public holiday and not in `closedOn`. */
export function isWorkingDay(day: string, closedOn: readonly string[] = []): boolean {
  if ([SATURDAY, SUNDAY].includes(weekday(day)) || closedOn.includes(day)) return false
  return !holidaysOf(Number(day.slice(0, 4))).has(day)
}

const holidaysByYear = new Map<number, Set<string>>()

/** Memoised by year, because a delivery window checks every day. */
function holidaysOf(year: number): Set<string> {
  const known = holidaysByYear.get(year) ?? new Set(publicHolidays(year))
  holidaysByYear.set(year, known)
  return known
}

export function addDays(day: string, count: number): string {
  const date = new Date(`${day}T00:00:00Z`)
  date.setUTCDate(date.getUTCDate() + count)
  return date.toISOString().slice(0, 10)
}

/** 0 is Sunday. */
export function weekday(day: string): number {
  return new Date(`${day}T00:00:00Z`).getUTCDay()
}

/** The Meeus–Jones–Butcher algorithm, with its usual variable names. */
function easterSunday(year: number): string {
  const a = year % 19
  const b = Math.floor(year / 100)
  const c = year % 100
  const g = Math.floor((8 * b + 13) / 25)
  const h = (19 * a + b - Math.floor(b / 4) - g + 15) % 30
  const l = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - h - (c % 4)) % 7
  const m = Math.floor((a + 11 * h + 22 * l) / 451)
  const n = h + l - 7 * m + 114
  const month = String(Math.floor(n / 31)).padStart(2, '0')
  return `${year}-${month}-${String((n % 31) + 1).padStart(2, '0')}`
}
