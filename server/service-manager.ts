import { execFile } from 'node:child_process'

/** systemd kills a process that has not reported for the whole time (`WatchdogSec=`). */
const REPORTS_PER_TIMEOUT = 3

/**
 * Tells systemd that the start has finished, and from then on, while the event loop runs, that the process is alive. Does nothing
 * under another supervisor. systemd-notify sends the datagrams, for which Node has no socket.
 */
export function reportReady(): void {
  notify('READY=1')
  const timeoutMs = Number(process.env.WATCHDOG_USEC) / 1000
  if (timeoutMs > 0) setInterval(() => notify('WATCHDOG=1'), timeoutMs / REPORTS_PER_TIMEOUT).unref()
}

const EXTENSION_S = 60

/** Asks systemd for more time than `TimeoutStartSec=`, for as long as the event loop runs. Returns a function that stops asking. */
export function extendStart(): () => void {
  const extend = () => notify(`EXTEND_TIMEOUT_USEC=${EXTENSION_S * 1_000_000}`)
  extend()
  const repeating = setInterval(extend, (EXTENSION_S * 1000) / REPORTS_PER_TIMEOUT)
  return () => clearInterval(repeating)
}

function notify(state: string): void {
  if (!process.env.NOTIFY_SOCKET) return
  // Without systemd-notify, systemd itself says in the journal that the service did not report.
  execFile('systemd-notify', [`--pid=${process.pid}`, state], () => undefined)
}
