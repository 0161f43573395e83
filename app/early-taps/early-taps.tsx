import { use, useLayoutEffect } from 'react'
import { NonceContext } from './nonce-context.ts'
import { reserveSpace } from '#app/data/cookie-space.ts'
import { recordEarlyTaps } from './record-early-taps.ts'
import { replayEarlyTap } from './replay-early-taps.ts'

/** The inline script in the head, which runs before the first paint. Its source is rendered on the server only, to keep it out of the bundle. */
export function EarlyScript() {
  const nonce = use(NonceContext)
  const source = import.meta.env.SSR ? `(${reserveSpace.toString()})();(${recordEarlyTaps.toString()})()` : ''
  return <script nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: source }} />
}

/** Replays early interactions after hydration. */
export function EarlyTaps() {
  useLayoutEffect(() => {
    void window.replayEarlyTaps?.(replayEarlyTap)
  }, [])
  return null
}
