const MINUTE_MS = 60_000

/** Subscribes to the clock, for `useSyncExternalStore`. Returns a function that ends the subscription. */
export function subscribeToMinutes(onChange: () => void): () => void {
  const timer = setInterval(onChange, MINUTE_MS)
  return () => clearInterval(timer)
}
