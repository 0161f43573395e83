import { use, useLayoutEffect } from 'react'
import { NonceContext } from './nonce-context.ts'
import { reserveSpace } from '#app/session/cookie-space.ts'
import { recordEarlyTaps } from './record-early-taps.ts'
import { replayEarlyTap } from './replay-early-taps.ts'

/** What runs in the head, before anything is painted or can be pressed. The browser's bundle needs no copy of the source. */
export function EarlyScript() {
  const nonce = use(NonceContext)
  const source = import.meta.env.SSR ? `(${reserveSpace.toString()})();(${recordEarlyTaps.toString()})()` : ''
  return <script nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: source }} />
}

/** Stands in the app: once it is alive, what was done early is done now. */
export function EarlyTaps() {
  useLayoutEffect(() => {
    void window.replayEarlyTaps?.(replayEarlyTap)
  }, [])
  return null
}
