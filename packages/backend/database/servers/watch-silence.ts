import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'
import { serverAddress } from './addresses.ts'
import type { CurrentServer } from './current-server.ts'
import type { Log } from '#backend/process/log.ts'

/** Between two questions to the database. */
const INTERVAL_MS = 1000
/** `select 1` reads no disk: a database that takes longer is stopped, or its machine is gone. */
const TIMEOUT_MS = 4000
/** A new connection starts a process, which a busy machine delays. */
const CONNECTING_FACTOR = 3
/** A wait that is so late was delayed by this process, which may not have read the answer yet. */
const BUSY_FACTOR = 1.5
/** How much longer the answer is awaited then, in parts of the limit. */
const EXTENSION = 1 / 4

export interface SilenceOptions {
  log: Pick<Log, 'error'>
  signal: AbortSignal
  intervalMs?: number
  timeoutMs?: number
}

/**
 * Ends all connections to a database that accepts them but never answers, as a stopped process or a lost machine does. Without it,
 * each request would wait for ever. Does nothing with several servers: `followPrimary` looks for another one.
 */
export function watchSilence(server: CurrentServer, options: SilenceOptions): void {
  if (server.urls.length > 1) return
  const { log, signal, intervalMs = INTERVAL_MS, timeoutMs = TIMEOUT_MS } = options
  const heartbeat = createHeartbeat(server.url, timeoutMs)
  signal.addEventListener('abort', () => heartbeat.end(), { once: true })
  void watch()

  async function watch(): Promise<void> {
    let wasSilent = false
    while (!signal.aborted) {
      // oxlint-disable no-await-in-loop -- one question after the other
      const isSilent = await heartbeat.isSilent()
      if (signal.aborted) return
      if (isSilent && !wasSilent) log.error({}, 'the database does not answer: its connections are ended')
      server.isSilent = isSilent
      wasSilent = isSilent
      await pause(intervalMs, undefined, { signal, ref: false }).catch(() => undefined)
      // oxlint-enable no-await-in-loop
    }
  }
}

/** Asks on a connection of its own, because a pool may be used up. */
function createHeartbeat(url: string, timeoutMs: number) {
  let client: Client | null = null

  function end(): void {
    // Not `client.end()`, which waits for an answer.
    client?.connection.stream.destroy()
    client = null
  }

  async function ask(): Promise<void> {
    if (!client) {
      client = new Client({ ...serverAddress(url), application_name: 'shop heartbeat' })
      client.on('error', () => undefined)
      await client.connect()
    }
    await client.query('select 1')
  }

  return {
    end,
    /** A refused connection is an answer: the pools notice it themselves. */
    async isSilent(): Promise<boolean> {
      let limitMs = client ? timeoutMs : CONNECTING_FACTOR * timeoutMs
      const answer = ask().then(
        () => 'answered' as const,
        () => 'refused' as const,
      )
      let outcome = await outcomeWithin(answer, limitMs)
      while (outcome === 'unknown') {
        limitMs = EXTENSION * timeoutMs
        // oxlint-disable-next-line no-await-in-loop -- one wait after the other
        outcome = await outcomeWithin(answer, limitMs)
      }
      if (outcome !== 'answered') end()
      return outcome === 'silent'
    },
  }
}

/** Whether the answer came within the limit; `unknown` when this process stood still meanwhile. */
async function outcomeWithin(
  answer: Promise<'answered' | 'refused'>,
  limitMs: number,
): Promise<'answered' | 'refused' | 'silent' | 'unknown'> {
  const start = performance.now()
  const ending = new AbortController()
  const outcome = await Promise.race([
    answer,
    pause(limitMs, 'silent' as const, { ref: false, signal: ending.signal }),
  ])
  ending.abort()
  return outcome === 'silent' && performance.now() - start >= BUSY_FACTOR * limitMs ? 'unknown' : outcome
}
