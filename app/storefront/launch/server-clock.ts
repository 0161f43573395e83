import { requestOrder } from '#app/data/request-order.ts'

/** Offset between the server's clock and this page's, which starts at zero; null until the server has answered. */
let offsetMs: number | null = null
const ask = requestOrder()

const RETRY_MS = 5000
/** On a connection that stays slow. */
const LONGEST_RETRY_MS = 60_000
/** The server's time of a slower answer is off by up to half of it: a refused request is repeated, and a phone's connection may pause. */
const SLOW_MS = 3000

/** The server's time; null until it is known. A phone's own clock may be minutes off. */
export function serverTime(): number | null {
  return offsetMs === null ? null : offsetMs + performance.now()
}

/**
 * Keeps the server's time known until the returned function is called: reads it now and whenever the page becomes visible,
 * because clocks stand still while a phone sleeps.
 */
export function followServerTime(onKnown: () => void): () => void {
  const ending = new AbortController()
  const { signal } = ending
  let retry: ReturnType<typeof setTimeout> | undefined
  let pauseMs = RETRY_MS

  const readAgain = () => void read()
  const read = async () => {
    clearTimeout(retry)
    if (document.visibilityState !== 'visible') return
    const reading = await readServerTime(signal).catch(() => null)
    if (signal.aborted) return
    if (!reading?.isExact) {
      // At different moments for each visitor, and ever more seldom: a busy shop is what makes answers slow.
      retry = setTimeout(readAgain, pauseMs * (0.8 + 0.4 * Math.random()))
      pauseMs = Math.min(2 * pauseMs, LONGEST_RETRY_MS)
    }
    if (reading) onKnown()
  }
  document.addEventListener('visibilitychange', readAgain, { signal })
  readAgain()
  return () => {
    clearTimeout(retry)
    ending.abort()
  }
}

/** Every response has the time, also a refusal. The page itself is asked for, because it is cached in the server's memory. */
async function readServerTime(signal: AbortSignal): Promise<{ isExact: boolean }> {
  const isCurrent = ask()
  const sent = performance.now()
  const { headers } = await fetch(location.pathname, { method: 'HEAD', cache: 'no-store', signal })
  const date = Date.parse(headers.get('date') ?? '')
  if (Number.isNaN(date)) throw new Error('the response has no date')
  const answered = performance.now()
  // The later reading has taken care of the time, and of asking again.
  if (!isCurrent()) return { isExact: true }
  // The header has whole seconds: on average the response is half a second younger.
  offsetMs = date + 500 - (sent + answered) / 2
  return { isExact: answered - sent < SLOW_MS }
}
