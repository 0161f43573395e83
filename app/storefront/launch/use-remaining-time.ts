import { useSyncExternalStore } from 'react'
import { remainingTime, type Remaining } from '#domain/launch.ts'
import { followServerTime, serverTime } from './server-clock.ts'

const SECOND_MS = 1000

/** The time until a launch, updated each second; null while the server's time is unknown, as in the rendered page. */
export function useRemainingTime(launchAt: string): Remaining | null {
  const second = useSyncExternalStore(eachSecond, currentSecond, () => null)
  return second === null ? null : remainingTime(Date.parse(launchAt) - second)
}

/** Whole seconds, because `useSyncExternalStore` needs a stable value. */
function currentSecond(): number | null {
  const now = serverTime()
  return now === null ? null : Math.floor(now / SECOND_MS) * SECOND_MS
}

function eachSecond(onChange: () => void): () => void {
  let timer: ReturnType<typeof setTimeout>
  const tick = () => {
    clearTimeout(timer)
    onChange()
    timer = setTimeout(tick, SECOND_MS - ((serverTime() ?? 0) % SECOND_MS) + 5)
  }
  const stop = followServerTime(tick)
  return () => {
    clearTimeout(timer)
    stop()
  }
}
