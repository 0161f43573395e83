import { shop } from '#shop'

const day = new Intl.DateTimeFormat(shop.locale, { dateStyle: 'medium', timeZone: shop.timeZone })
const minute = new Intl.DateTimeFormat(shop.locale, {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: shop.timeZone,
})
const clock = new Intl.DateTimeFormat(shop.locale, {
  hour: '2-digit',
  minute: '2-digit',
  timeZone: shop.timeZone,
})
const exact = new Intl.DateTimeFormat(shop.locale, {
  dateStyle: 'full',
  timeStyle: 'short',
  timeZone: shop.timeZone,
})
const dayAndMinute = new Intl.DateTimeFormat(shop.locale, {
  dateStyle: 'medium',
  timeStyle: 'short',
  timeZone: shop.timeZone,
})
const numeric = new Intl.DateTimeFormat(shop.locale, { timeZone: shop.timeZone })

/** Shows a date in the shop's time zone; date and time on hover. */
export function LocalDate({ at }: { at: string }) {
  const date = new Date(at)
  return (
    <time dateTime={at} title={exact.format(date)}>
      {dateText(at)}
    </time>
  )
}

/** `21 Nov 2026` */
export function dateText(at: string): string {
  return day.format(new Date(at))
}

/** Shows `21 Nov, 14:05`; the full date on hover. */
export function LocalDateTime({ at }: { at: string }) {
  const date = new Date(at)
  return (
    <time dateTime={at} title={exact.format(date)}>
      {minute.format(date)}
    </time>
  )
}

/** `Saturday, 21 November 2026 at 14:05` */
export function fullDateTimeText(at: string): string {
  return exact.format(new Date(at))
}

/** `21 Nov, 14:05` */
export function shortDateTimeText(at: string): string {
  return minute.format(new Date(at))
}

/** `14:05` */
export function timeText(at: string): string {
  return clock.format(new Date(at))
}

/** `21 Nov 2026, 14:05` */
export function dateTimeText(at: string): string {
  return dayAndMinute.format(new Date(at))
}

/** `2026/11/21`, the format that the specification requires in the revenue history. */
export function numericDate(at: string): string {
  return numeric.format(new Date(at))
}
