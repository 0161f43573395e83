import { setTimeout as pause } from 'node:timers/promises'
import type { Log } from '@saltfreak/backend'

const FIRST_DELAY_MS = 100
/** Also the longest wait after the cause is gone, such as a full disk. */
const MAX_DELAY_MS = 10_000
/** A process that was ready for this long was healthy: its end is a new problem. */
const HEALTHY_AFTER_MS = 3000

export interface KeptProcess {
  pid: number | undefined
  /** Resolves to false when the process ends before it is ready. */
  ready: Promise<boolean>
  /** Resolves to the reason when the process ends. */
  ended: Promise<string>
  stop(): Promise<void>
}

export interface ProcessesToKeep {
  count: number
  start: () => KeptProcess
  log: Pick<Log, 'error' | 'info'>
  /** Called for each process that ended by itself. */
  onCrash?: () => void
}

/** A process ended before it was ready. */
export class StartFailed extends Error {}

/**
 * Starts processes and replaces those that end, with growing pauses, until stopped. Starts the first one alone, so that what no
 * process could survive is reported once. Throws StartFailed, with no process left, when one of the first ones fails to start.
 */
export async function keepProcesses(kept: ProcessesToKeep): Promise<{ stop(): Promise<void> }> {
  const { count, start, log, onCrash = () => undefined } = kept
  const stopping = new AbortController()
  const { signal } = stopping
  const running = new Set<KeptProcess>()

  function begin(): KeptProcess {
    const begun = start()
    running.add(begun)
    void begun.ended.then(() => running.delete(begun))
    return begun
  }

  async function keep(first: KeptProcess): Promise<void> {
    let current = first
    let delayMs = FIRST_DELAY_MS
    for (;;) {
      // oxlint-disable no-await-in-loop -- each start follows an end
      const readyAt = current.ready.then((isReady) => (isReady ? performance.now() : Infinity))
      const reason = await current.ended
      if (signal.aborted) return
      if (performance.now() - (await readyAt) > HEALTHY_AFTER_MS) delayMs = FIRST_DELAY_MS
      log.error({ ended: current.pid, reason }, 'A process of the shop ended; starting another one')
      onCrash()
      await pause(delayMs, undefined, { signal }).catch(() => undefined)
      if (signal.aborted) return
      delayMs = Math.min(2 * delayMs, MAX_DELAY_MS)
      current = begin()
      // oxlint-enable no-await-in-loop
    }
  }

  async function stop(): Promise<void> {
    stopping.abort()
    await Promise.all([...running].map((each) => each.stop()))
  }

  const first = begin()
  const firstOnes = [first]
  if (await first.ready) firstOnes.push(...Array.from({ length: count - 1 }, begin))
  const areReady = await Promise.all(firstOnes.map(({ ready }) => ready))
  if (!areReady.every(Boolean)) {
    const failed = firstOnes[areReady.indexOf(false)]
    await stop()
    throw new StartFailed(await failed?.ended)
  }
  for (const each of firstOnes) void keep(each)
  return { stop }
}
