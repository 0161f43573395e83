import { Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'
import { serverAddress } from './addresses.ts'
import type { CurrentServer } from './current-server.ts'
import { findPrimary, isReadOnly } from './find-primary.ts'

/** How often the primary is asked whether it still answers and can be written. */
const HEARTBEAT_MS = 2_000
/** A machine that lost its power does not close its connections. */
const HEARTBEAT_TIMEOUT_MS = 3_000
const PROBE_TIMEOUT_MS = 2_000
const PROBE_EVERY_MS = 250

interface FollowOptions {
  onSwitch: (host: string) => void
  signal: AbortSignal
}

/**
 * Looks for the writable server whenever the current one ends, stops answering or becomes read-only, for as long as it takes, and
 * moves all connections to it. Does nothing with one server, to which pools reconnect by themselves.
 */
export function followPrimary(server: CurrentServer, { onSwitch, signal }: FollowOptions): void {
  if (server.urls.length < 2) return
  const wake = new EventTarget()
  server.onReadOnly = () => wake.dispatchEvent(new Event('read-only'))
  void follow()

  async function follow(): Promise<void> {
    while (!signal.aborted) {
      // oxlint-disable no-await-in-loop -- one server after the other
      await untilLost(server.url, wake, signal)
      if (signal.aborted) return
      const primary = await untilFound(server.urls, signal)
      if (primary && primary !== server.url) {
        server.use(primary)
        onSwitch(new URL(primary).host)
      } else {
        // It answers again, or refuses only the heartbeat.
        await pause(PROBE_EVERY_MS, undefined, { signal, ref: false }).catch(() => undefined)
      }
      // oxlint-enable no-await-in-loop
    }
  }
}

/** Resolves when the server does not answer, cannot be written, or ends the connection. */
async function untilLost(url: string, wake: EventTarget, signal: AbortSignal): Promise<void> {
  const client = new Client({
    ...serverAddress(url),
    application_name: 'shop heartbeat',
    connectionTimeoutMillis: HEARTBEAT_TIMEOUT_MS,
    query_timeout: HEARTBEAT_TIMEOUT_MS,
    stream: () => new Socket().unref(),
  })
  const ended = new AbortController()
  const lose = () => ended.abort()
  client.on('error', lose)
  client.on('end', lose)
  wake.addEventListener('read-only', lose)
  signal.addEventListener('abort', lose)
  try {
    await client.connect()
    while (!ended.signal.aborted) {
      // oxlint-disable no-await-in-loop -- one question after the other
      if (await isReadOnly(client)) return
      await pause(HEARTBEAT_MS, undefined, { signal: ended.signal, ref: false }).catch(() => undefined)
      // oxlint-enable no-await-in-loop
    }
  } catch {
    // Lost: the caller looks for another server.
  } finally {
    wake.removeEventListener('read-only', lose)
    signal.removeEventListener('abort', lose)
    client.end().catch(() => undefined)
  }
}

async function untilFound(urls: string[], signal: AbortSignal): Promise<string | null> {
  while (!signal.aborted) {
    // oxlint-disable no-await-in-loop -- one attempt after the other
    const primary = await findPrimary(urls, PROBE_TIMEOUT_MS).catch(() => null)
    if (primary) return primary
    await pause(PROBE_EVERY_MS, undefined, { signal, ref: false }).catch(() => undefined)
    // oxlint-enable no-await-in-loop
  }
  return null
}
