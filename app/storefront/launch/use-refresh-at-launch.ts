import { useEffect } from 'react'
import { useRevalidator } from 'react-router'
import { followServerTime, serverTime } from './server-clock.ts'

/** Browsers run longer timers at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

const FIRST_RETRY_MS = 500
const MAX_RETRY_MS = 10_000

/** Loads the page's data again at the launch, and then again until the product is on sale and the launch has gone. */
export function useRefreshAtLaunch(launchAt: string | null): void {
  const { revalidate } = useRevalidator()

  useEffect(() => {
    if (launchAt === null) return
    const leaving = new AbortController()
    let timer: ReturnType<typeof setTimeout>
    let pauseMs = FIRST_RETRY_MS

    const wait = () => {
      clearTimeout(timer)
      const now = serverTime()
      if (now === null) return
      const leftMs = Date.parse(launchAt) - now
      if (leftMs > 0) timer = setTimeout(wait, Math.min(leftMs, LONGEST_TIMER_MS))
      else void refresh()
    }
    const refresh = async () => {
      if (await isReachable(leaving.signal)) await revalidate()
      if (leaving.signal.aborted) return
      clearTimeout(timer)
      timer = setTimeout(() => void refresh(), pauseMs)
      pauseMs = Math.min(2 * pauseMs, MAX_RETRY_MS)
    }
    const stop = followServerTime(wait)
    return () => {
      stop()
      leaving.abort()
      clearTimeout(timer)
    }
  }, [launchAt, revalidate])
}

/** While the shop cannot be reached, loading the data would replace the page by an error. */
async function isReachable(signal: AbortSignal): Promise<boolean> {
  const response = await fetch(location.pathname, { method: 'HEAD', cache: 'no-store', signal }).catch(
    () => null,
  )
  return response?.ok ?? false
}

/** The next launch of several products; null when none is announced. */
export function nextLaunch(products: readonly { launchAt: string | null }[]): string | null {
  const launches = products.flatMap(({ launchAt }) => launchAt ?? [])
  return launches.toSorted((one, other) => Date.parse(one) - Date.parse(other))[0] ?? null
}
