/**
 * Loaded into the measured process (`--import`): reports the longest event loop delays between two messages. Measures wall-clock time,
 * which includes other processes on the same core; wall-clock time without the time that the runnable thread waited for the core; and
 * CPU time of the thread. The first two include waiting for garbage collection threads.
 */
import { openSync, readSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'

const RESOLUTION_MS = 1
const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
delay.enable()

const schedule = openSync('/proc/self/schedstat', 'r')
const line = Buffer.alloc(128)

/** Returns how long the main thread has been runnable without running, since its start. */
function waitedForCoreMs(): number {
  const [, waitedNs] = line.toString('latin1', 0, readSync(schedule, line, 0, line.length, 0)).split(' ')
  return Number(waitedNs) / 1e6
}

function sample() {
  const { user, system } = process.threadCpuUsage()
  return { clockMs: performance.now(), waitedMs: waitedForCoreMs(), workMs: (user + system) / 1000 }
}

let before = sample()
let longestWorkMs = 0
let longestOwnMs = 0
setInterval(() => {
  const now = sample()
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
// Without `unref`, the listener would keep short-lived commands alive.
process.channel?.unref()
