import { Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import type { Client } from 'pg'
import type { DatabasePools } from './pool.ts'

export interface NotificationHandlers {
  channel: string
  onNotification: (payload: string) => void
  /** Called on every (re)connection. Earlier notifications may be lost, so the callback must invalidate caches. */
  onListening?: (client: Client) => void
  onLost: (error: Error) => void
  /** Closes the connection. */
  signal?: AbortSignal | undefined
}

export interface Listener {
  /** Resolves after `onNotification` was called for every commit before this call; rejects while disconnected. */
  catchUp(): Promise<void>
}

const RECONNECT_DELAY_MS = 1_000
const MAX_RECONNECT_DELAY_MS = 5_000

/** The database was dropped, so reconnecting is pointless. */
const NO_SUCH_DATABASE = '3D000'

/**
 * Listens to a NOTIFY channel until the signal aborts, and reconnects with exponential backoff. The connection does not belong
 * to the pool, so that closing the pool does not wait for it, and it does not keep the process alive.
 */
export function listenToChannel(database: DatabasePools, subscription: NotificationHandlers): Listener {
  let current: Client | null = null
  void stayListening(database, subscription, (client) => (current = client))
  return {
    async catchUp() {
      if (!current) throw new Error(`Not connected to channel ${subscription.channel}`)
      // PostgreSQL delivers pending notifications before the result of the session's next statement.
      await current.query('select')
    },
  }
}

async function stayListening(
  database: DatabasePools,
  subscription: NotificationHandlers,
  onClient: (client: Client | null) => void,
): Promise<void> {
  const { onLost, signal } = subscription
  let waitMs = RECONNECT_DELAY_MS
  for (;;) {
    if (signal?.aborted) return
    const error = await listenUntilLost(database, subscription, (client) => {
      if (client) waitMs = RECONNECT_DELAY_MS
      onClient(client)
    })
    if (error.code === NO_SUCH_DATABASE || signal?.aborted) return
    onLost(error)
    await setTimeout(waitMs, undefined, { ref: false })
    waitMs = Math.min(waitMs * 2, MAX_RECONNECT_DELAY_MS)
  }
}

async function listenUntilLost(
  database: DatabasePools,
  { channel, onNotification, onListening, signal }: NotificationHandlers,
  onClient: (client: Client | null) => void,
): Promise<Error & { code?: string }> {
  const { promise: lost, resolve: lose } = Promise.withResolvers<Error>()
  const client = database.createClient({
    connectionTimeoutMillis: 10_000,
    stream: () => new Socket().unref(),
  })
  const stop = () => lose(new Error('Listening was aborted'))
  signal?.addEventListener('abort', stop, { once: true })
  client.on('error', lose)
  client.on('end', () => lose(new Error(`The connection that listens to ${channel} has ended`)))
  client.on('notification', ({ payload = '' }) => onNotification(payload))

  try {
    await client.connect()
    await client.query(`listen ${client.escapeIdentifier(channel)}`)
    onClient(client)
    onListening?.(client)
  } catch (error) {
    lose(error instanceof Error ? error : new Error(String(error)))
  }
  const error = await lost
  onClient(null)
  signal?.removeEventListener('abort', stop)
  client.end().catch(() => undefined)
  return error
}
