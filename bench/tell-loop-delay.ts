/**
 * Loaded into the measured process (`--import`): answers how long its event loop was held up since it was asked last, by the clock
 * and by the processor time of its own thread. The clock counts as well what the database and the collector of garbage do on the same core.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks'

const RESOLUTION_MS = 1
const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
delay.enable()

let before = process.threadCpuUsage()
let longestWorkMs = 0
setInterval(() => {
  const now = process.threadCpuUsage()
  longestWorkMs = Math.max(longestWorkMs, (now.user - before.user + now.system - before.system) / 1000)
  before = now
}, RESOLUTION_MS).unref()

const over = (nanoseconds: number) => Math.max(0, nanoseconds / 1e6 - RESOLUTION_MS)

process.on('message', (message) => {
  if (message !== 'loop delay') return
  process.send?.({ longestMs: over(delay.max), p999Ms: over(delay.percentile(99.9)), longestWorkMs })
  delay.reset()
  longestWorkMs = 0
})
// A listener would keep a command alive that is done; the shop has its server.
process.channel?.unref()
