import { useSyncExternalStore } from 'react'
import { fullDateTimeText } from '#app/ui/local-date.tsx'
import { relativeDate } from './relative-date.ts'

/** How long ago, or how soon; the minute on hover. Stays true while the page is open. */
export function RelativeTime({ at }: { at: string }) {
  const now = useSyncExternalStore(eachMinute, roundedNow, roundedNow)
  return (
    <time dateTime={at} title={fullDateTimeText(at)}>
      {relativeDate(new Date(at), new Date(now))}
    </time>
  )
}

const MINUTE_MS = 60_000
/** Fine enough that what has just come in is not taken for the future. */
const GRAIN_MS = 10_000

function roundedNow(): number {
  return Math.floor(Date.now() / GRAIN_MS) * GRAIN_MS
}

function eachMinute(tell: () => void): () => void {
  const timer = setInterval(tell, MINUTE_MS)
  return () => clearInterval(timer)
}
