import { dateFormat } from '#domain/dates.ts'

/** `21 Nov 2026` */
export const dateText = dateFormat({ dateStyle: 'medium' })

/** `21 Nov, 14:05` */
export const shortDateTimeText = dateFormat({
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
})

/** `Saturday, 21 November 2026 at 14:05` */
const fullDateTimeText = dateFormat({ dateStyle: 'full', timeStyle: 'short' })

/** `14:05` */
export const timeText = dateFormat({ hour: '2-digit', minute: '2-digit' })

/** `21 Nov 2026, 14:05` */
export const dateTimeText = dateFormat({ dateStyle: 'medium', timeStyle: 'short' })

/** `2026/11/21`, the format that the specification requires in the revenue history. */
export const numericDate = dateFormat({})

/** Shows a date in the shop's time zone; date and time on hover. */
export function LocalDate({ at, text = dateText(at) }: { at: string; text?: string }) {
  return (
    <time dateTime={at} title={fullDateTimeText(at)}>
      {text}
    </time>
  )
}

/** Shows `21 Nov, 14:05`; the full date on hover. */
export function LocalDateTime({ at }: { at: string }) {
  return <LocalDate at={at} text={shortDateTimeText(at)} />
}
