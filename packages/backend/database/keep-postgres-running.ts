import { setTimeout as pause } from 'node:timers/promises'
import { type EmbeddedOptions, type EmbeddedPostgres, startPostgres } from './embedded.ts'
import { noteCrash } from '#backend/process/crashes.ts'
import { errorMessage } from '#backend/process/error-message.ts'
import type { Log } from '#backend/process/log.ts'

const FIRST_DELAY_MS = 100
/** Also the longest wait after the cause is gone, such as a full disk. */
const MAX_DELAY_MS = 10_000
/** PostgreSQL that ran for this long was healthy: the next exit is a new problem. */
const HEALTHY_AFTER_MS = 60_000
const LOG_INTERVAL_MS = 60_000

export interface KeepRunning {
  dataDir: string
  options: EmbeddedOptions
  log: Pick<Log, 'error' | 'info'>
}

/**
 * Restarts PostgreSQL on the same port whenever it exits, so that connection pools reconnect. It never gives up, because a full
 * disk may be cleared days later; the pause between two attempts grows to ten seconds. Returns a function that stops PostgreSQL.
 */
export function keepPostgresRunning(
  first: EmbeddedPostgres,
  { dataDir, options, log }: KeepRunning,
): () => Promise<void> {
  const stopping = new AbortController()
  const { signal } = stopping
  let current: EmbeddedPostgres | null = first

  let delayMs = FIRST_DELAY_MS
  let loggedAt = -Infinity

  async function restart(): Promise<EmbeddedPostgres | null> {
    for (;;) {
      await pause(delayMs, undefined, { signal }).catch(() => {})
      if (signal.aborted) return null
      delayMs = Math.min(2 * delayMs, MAX_DELAY_MS)
      try {
        return await startPostgres(dataDir, { ...options, port: first.port, mustExist: true, signal })
      } catch (error) {
        if (performance.now() - loggedAt < LOG_INTERVAL_MS) continue
        loggedAt = performance.now()
        log.error({ reason: errorMessage(error) }, 'PostgreSQL does not start; trying again until it does')
      }
    }
  }

  async function keep(): Promise<void> {
    while (current && !signal.aborted) {
      const startedAt = performance.now()
      await current.ended
      if (signal.aborted) return
      log.error({}, 'PostgreSQL exited unexpectedly; restarting it')
      await noteCrash(dataDir, 'PostgreSQL')
      if (performance.now() - startedAt > HEALTHY_AFTER_MS) delayMs = FIRST_DELAY_MS
      current = await restart()
      if (current) log.info({}, 'PostgreSQL is running again')
    }
  }
  const kept = keep()

  return async () => {
    stopping.abort()
    await current?.stop()
    await kept
    // An attempt may have succeeded while it was told to stop.
    await current?.stop()
  }
}
