const MAX_RETRIES = 6
const FIRST_PAUSE_MS = 1000

interface RetryTiming {
  /** Waits between two attempts; rejects when the request is aborted. */
  pause?: (ms: number, signal: AbortSignal | null | undefined) => Promise<void>
}

/**
 * Returns a `fetch` that repeats requests which the overloaded shop refused, up to about half a minute, with growing and random pauses.
 * The server refuses before it does anything, so a repeated order, payment or sign-in still happens once. Other failures are not repeated.
 */
export function retryRefused(send: typeof fetch, { pause = pauseFor }: RetryTiming = {}): typeof fetch {
  return async (input, init) => {
    const signal = init?.signal ?? (input instanceof Request ? input.signal : null)
    for (let retry = 0; ; retry += 1) {
      // The body of a Request can be read once.
      const attempt = input instanceof Request ? input.clone() : input
      // oxlint-disable-next-line no-await-in-loop -- one attempt after the other
      const response = await send(attempt, init)
      if (retry === MAX_RETRIES || response.headers.get('x-refused') !== 'overload') return response
      // oxlint-disable-next-line no-await-in-loop
      await pause(FIRST_PAUSE_MS * 1.5 ** retry * (0.5 + Math.random()), signal)
    }
  }
}

async function pauseFor(ms: number, signal: AbortSignal | null | undefined): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms)
    const stop = () => {
      clearTimeout(timer)
      resolve()
    }
    if (signal?.aborted) stop()
    signal?.addEventListener('abort', stop, { once: true })
  })
  signal?.throwIfAborted()
}
