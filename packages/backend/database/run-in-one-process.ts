import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'
import { asBoolean, selectValue } from './select-rows.ts'
import { serverAddress, urlsOf } from './servers/addresses.ts'
import { findPrimary } from './servers/find-primary.ts'

interface Work {
  stop(): Promise<void>
}

interface OnlyOnce {
  databaseUrl: string
  /** The same in all processes that must not run the work at the same time. */
  lock: number
  start: () => Work
  /** Called each time that another process has the work. */
  onRefused?: () => void
  /** How often the others look whether they may take over. */
  pollMs?: number
}

const POLL_MS = 10_000

/**
 * Leader election: of all the processes that call this, also on other machines, the one that holds an advisory lock runs the work
 * until stopped. When it ends or loses the database, another takes over.
 */
export function runInOneProcess({ databaseUrl, lock, start, onRefused, pollMs = POLL_MS }: OnlyOnce): Work {
  const stopping = new AbortController()
  const { signal } = stopping
  // One listener for all attempts, also for those that are connecting when the signal comes.
  const stopped = once(signal, 'abort')

  async function runUntilLost(): Promise<void> {
    const client = new Client({
      ...serverAddress(await findPrimary(urlsOf(databaseUrl))),
      connectionTimeoutMillis: 10_000,
      application_name: 'only one process',
      keepAlive: true,
    })
    const { promise: lost, resolve: lose } = Promise.withResolvers<void>()
    client.on('error', () => lose()).on('end', () => lose())
    try {
      await client.connect()
      if (signal.aborted) return
      const isHeld = await selectValue(client, asBoolean, ['select pg_try_advisory_lock($1)', lock])
      if (!isHeld) return onRefused?.()
      const work = start()
      await Promise.race([lost, stopped])
      await work.stop()
    } finally {
      await client.end().catch(() => undefined) // It may have ended already.
    }
  }

  async function repeat(): Promise<void> {
    while (!signal.aborted) {
      // Without the database there is nothing to run; the next attempt looks again.
      await runUntilLost().catch(() => undefined)
      await pause(pollMs, undefined, { signal, ref: false }).catch(() => undefined)
    }
  }
  const repeated = repeat()
  return {
    async stop() {
      stopping.abort()
      await repeated
    },
  }
}
