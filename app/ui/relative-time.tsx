import { useSyncExternalStore } from 'react'
import { LocalDate } from '#app/ui/local-date.tsx'
import { subscribeToMinutes } from './subscribe-to-minutes.ts'
import { relativeDate } from './relative-date.ts'

/** Shows a relative time and keeps it up to date; the full date on hover. */
export function RelativeTime({ at }: { at: string }) {
  const now = useSyncExternalStore(subscribeToMinutes, roundedNow, roundedNow)
  return <LocalDate at={at} text={relativeDate(new Date(at), new Date(now))} />
}

/** `useSyncExternalStore` needs a stable value; coarser rounding would show new rows as in the future. */
const ROUNDING_MS = 10_000

function roundedNow(): number {
  return Math.floor(Date.now() / ROUNDING_MS) * ROUNDING_MS
}
