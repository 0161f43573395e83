/** Offset between the server's clock and this page's, which starts at zero; null until the server has answered. */
let offsetMs: number | null = null

const RETRY_MS = 5000

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

  const read = () => {
    clearTimeout(retry)
    if (document.visibilityState === 'visible')
      readServerTime(signal).then(
        () => signal.aborted || onKnown(),
        () => signal.aborted || (retry = setTimeout(read, RETRY_MS)),
      )
  }
  document.addEventListener('visibilitychange', read, { signal })
  read()
  return () => {
    clearTimeout(retry)
    ending.abort()
  }
}

/** Every response has the time, also a refusal. The page itself is asked for, because it is cached in the server's memory. */
async function readServerTime(signal: AbortSignal): Promise<void> {
  const sent = performance.now()
  const { headers } = await fetch(location.pathname, { method: 'HEAD', cache: 'no-store', signal })
  const date = Date.parse(headers.get('date') ?? '')
  if (Number.isNaN(date)) throw new Error('the response has no date')
  // The header has whole seconds: on average the response is half a second younger.
  offsetMs = date + 500 - (sent + performance.now()) / 2
}
