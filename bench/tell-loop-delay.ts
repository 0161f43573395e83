/**
 * Loaded into the measured process (`--import`): answers how long its event loop was held up since it was asked last. By the clock,
 * which counts as well what others do on the same core; by the clock without the time for which its thread was ready and the kernel ran
 * somebody else; and by the processor time of its own thread. What it waits for by its own doing, as for helpers of the collector
 * of garbage, is in the first two.
 */
import { openSync, readSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'

const RESOLUTION_MS = 1
const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
delay.enable()

const schedule = openSync('/proc/self/schedstat', 'r')
const line = Buffer.alloc(128)

/** For how long the main thread was ready and not run, since it began. */
function waitedForCoreMs(): number {
  const [, waitedNs] = line.toString('latin1', 0, readSync(schedule, line, 0, line.length, 0)).split(' ')
  return Number(waitedNs) / 1e6
}

function look() {
  const { user, system } = process.threadCpuUsage()
  return { clockMs: performance.now(), waitedMs: waitedForCoreMs(), workMs: (user + system) / 1000 }
}

let before = look()
let longestWorkMs = 0
let longestOwnMs = 0
setInterval(() => {
  const now = look()
  const waitedMs = now.waitedMs - before.waitedMs
  longestWorkMs = Math.max(longestWorkMs, now.workMs - before.workMs)
  longestOwnMs = Math.max(longestOwnMs, now.clockMs - before.clockMs - waitedMs - RESOLUTION_MS)
  before = now
}, RESOLUTION_MS).unref()

const over = (nanoseconds: number) => Math.max(0, nanoseconds / 1e6 - RESOLUTION_MS)

process.on('message', (message) => {
  if (message !== 'loop delay') return
  const longestMs = over(delay.max)
  process.send?.({ longestMs, longestOwnMs, p999Ms: over(delay.percentile(99.9)), longestWorkMs })
  delay.reset()
  longestWorkMs = 0
  longestOwnMs = 0
})
// A listener would keep a command alive that is done; the shop has its server.
process.channel?.unref()
