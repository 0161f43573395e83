import { refuse } from './refusal.ts'

/** All of stopping takes no longer. */
const STOP_WITHIN_MS = 4800

/** A terminal that is closed, Ctrl-C, a process manager, and the starter that ends: all mean the same. */
export function stopOnce(stop: () => Promise<void>): void {
  let isStopping = false
  const stopNow = () => {
    if (isStopping) return
    isStopping = true
    setTimeout(() => process.exit(1), STOP_WITHIN_MS).unref()
    stop().then(() => process.exit(0), refuse)
  }
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, stopNow)
  process.on('disconnect', stopNow)
}
