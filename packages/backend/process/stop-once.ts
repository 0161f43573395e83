import { exitWithError } from './startup-error.ts'

/** The process exits after this time even if stopping has not finished. */
const STOP_TIMEOUT_MS = 4800

/** Calls `stop` on the first termination signal, or when the parent process disconnects, then exits. */
export function stopOnce(stop: () => Promise<void>): void {
  let isStopping = false
  const stopNow = () => {
    if (isStopping) return
    isStopping = true
    setTimeout(() => process.exit(1), STOP_TIMEOUT_MS).unref()
    stop().then(() => process.exit(0), exitWithError)
  }
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, stopNow)
  process.on('disconnect', stopNow)
}
