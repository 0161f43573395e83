import cluster, { type Worker } from 'node:cluster'
import { usableMemory } from './automatic-processes.ts'
import type { KeptProcess } from './keep-processes.ts'
import type { FromChild } from './messages.ts'

/** How often a child reports that it is alive. */
export const REPORT_INTERVAL_MS = 5000
/** A child that reports nothing for this long hangs, also in its start. As the watchdog of deploy/systemd. */
const SILENT_AT_MOST_MS = 60_000

interface ForkOptions {
  /** How long a stop may take. */
  stopTimeoutMs: number
  onMessage: (child: Worker, message: FromChild) => void
  onEnd: (child: Worker) => void
}

/**
 * Lets children accept connections from one shared socket. Node's other policy accepts in this process and hands connections on;
 * one that a killed child had not taken over yet would never be answered.
 */
export function prepareForks(processes: number): void {
  cluster.schedulingPolicy = cluster.SCHED_NONE
  cluster.setupPrimary({ execArgv: [...process.execArgv, ...flagsFor(processes)] })
}

/** No core is spare for V8's garbage collection, and the heaps together must fit into half of the memory. */
function flagsFor(processes: number): string[] {
  const heapMegabytes = Math.floor(usableMemory() / 2 / processes / 1024 ** 2)
  const heap = `--max-old-space-size=${Math.min(Math.max(heapMegabytes, 256), 4096)}`
  return ['--v8-pool-size=1', ...(process.env.NODE_OPTIONS?.includes('--max-old-space-size') ? [] : [heap])]
}

/** Starts one more process of the shop. */
export function forkShop({ stopTimeoutMs, onMessage, onEnd }: ForkOptions): KeptProcess {
  const worker = cluster.fork()
  const { promise: ended, resolve: end } = Promise.withResolvers<string>()
  const { promise: ready, resolve: settle } = Promise.withResolvers<boolean>()
  let isSilent = false
  const kill = () => worker.process.kill('SIGKILL')
  const watchdog = setTimeout(() => {
    isSilent = true
    kill()
  }, SILENT_AT_MOST_MS).unref()

  worker.on('message', (message: FromChild) => {
    watchdog.refresh()
    if (message.kind === 'ready') settle(true)
    onMessage(worker, message)
  })
  worker.on('error', () => undefined) // A message to a child that has just ended.
  worker.on('exit', (code, signal) => {
    clearTimeout(watchdog)
    onEnd(worker)
    settle(false)
    end(isSilent ? 'it did not respond' : signal ? `ended by ${signal}` : `exit code ${code}`)
  })
  return {
    pid: worker.process.pid,
    ready,
    ended,
    async stop() {
      worker.process.kill('SIGTERM')
      const killing = setTimeout(kill, stopTimeoutMs)
      await ended
      clearTimeout(killing)
    },
  }
}
