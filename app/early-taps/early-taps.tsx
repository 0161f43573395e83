import { use, useLayoutEffect } from 'react'
import { NonceContext } from './nonce-context.ts'
import { recordEarlyTaps } from './record-early-taps.ts'

/** Stands in the head, before anything that can be pressed. The browser's bundle needs no copy of the source. */
export function EarlyTapsScript() {
  const nonce = use(NonceContext)
  const source = import.meta.env.SSR ? `(${recordEarlyTaps.toString()})()` : ''
  return <script nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: source }} />
}

/** Stands in the app: once it is alive, what was done early is done now. */
export function EarlyTaps() {
  useLayoutEffect(() => {
    const acts = window.takeEarlyTaps?.()
    // Few pages are touched before they are alive; only those fetch what it takes.
    if (acts?.length)
      void import('./replay-early-taps.ts').then(({ replayEarlyTaps }) => replayEarlyTaps(acts))
  }, [])
  return null
}
