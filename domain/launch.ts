import { inSouthAfrica } from './south-african-time.ts'
import { MONTHS, WEEKDAYS } from './today.ts'

/** `Tuesday 24 November at 19:00` */
export function launchText(moment: string): string {
  const time = inSouthAfrica(moment)
  return `${WEEKDAYS[time.getUTCDay()]} ${time.getUTCDate()} ${MONTHS[time.getUTCMonth()]} at ${clockOf(time)}`
}

/** `Tue 24 Nov, 19:00` */
export function shortLaunchText(moment: string): string {
  const time = inSouthAfrica(moment)
  const [day, month] = [WEEKDAYS[time.getUTCDay()], MONTHS[time.getUTCMonth()]].map((name) =>
    name?.slice(0, 3),
  )
  return `${day} ${time.getUTCDate()} ${month}, ${clockOf(time)}`
}

const clockOf = (time: Date) => time.toISOString().slice(11, 16)

export interface Remaining {
  days: number
  hours: number
  minutes: number
  seconds: number
}

/** Rounds up to seconds, so that a countdown shows zero only when the time has come. */
export function remainingTime(ms: number): Remaining {
  const total = Math.max(0, Math.ceil(ms / 1000))
  return {
    days: Math.floor(total / 86_400),
    hours: Math.floor(total / 3600) % 24,
    minutes: Math.floor(total / 60) % 60,
    seconds: total % 60,
  }
}
