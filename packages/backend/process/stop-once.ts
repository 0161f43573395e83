import { exitWithError } from './startup-error.ts'

/** The process exits after this time even if stopping has not finished. */
export const PROCESS_STOP_TIMEOUT_MS = 4800

/**
 * Calls `stop` on the first termination signal, or when the parent process disconnects, then exits. `delayMs`: how much longer
 * stopping may take.
 */
export function stopOnce(stop: () => Promise<void>, delayMs = () => 0): void {
  let isStopping = false
  const stopNow = () => {
    if (isStopping) return
    isStopping = true
    setTimeout(() => process.exit(1), PROCESS_STOP_TIMEOUT_MS + delayMs()).unref()
    stop().then(() => process.exit(0), exitWithError)
  }
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, stopNow)
  process.on('disconnect', stopNow)
}
