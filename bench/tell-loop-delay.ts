/** Loaded into the measured process (`--import`): answers how long its event loop was held up since it was asked last. */
import { monitorEventLoopDelay } from 'node:perf_hooks'

const RESOLUTION_MS = 1
const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
delay.enable()

const over = (nanoseconds: number) => Math.max(0, nanoseconds / 1e6 - RESOLUTION_MS)

process.on('message', (message) => {
  if (message !== 'loop delay') return
  process.send?.({ longestMs: over(delay.max), p999Ms: over(delay.percentile(99.9)) })
  delay.reset()
})
// A listener would keep a command alive that is done; the shop has its server.
process.channel?.unref()
