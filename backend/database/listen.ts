import { Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { Client } from 'pg'
import type { Database } from './pool.ts'

export interface Subscription {
  channel: string
  onNotice: (payload: string) => void
  /** Told each time the connection stands; what was notified before is lost, so whoever keeps something drops it here. */
  onListening?: (client: Client) => void
  onLost: (error: Error) => void
  /** Ends the listening connection. */
  signal?: AbortSignal | undefined
}

export interface Listener {
  /** Answers once every notice committed before the call has been told; fails while nothing listens. */
  catchUp(): Promise<void>
}

const LISTEN_AGAIN_AFTER_MS = 1_000
const LISTEN_AGAIN_AT_MOST_AFTER_MS = 30_000

/** The database was dropped: it does not come back. */
const NO_SUCH_DATABASE = '3D000'

/**
 * Follows a channel of NOTIFY until the signal ends it, through any number of lost connections. The connection is none
 * of the pool's, so that closing the pool does not wait for it, and it does not keep the process alive.
 */
export function listen(database: Database, subscription: Subscription): Listener {
  let current: Client | null = null
  void stayListening(database, subscription, (client) => (current = client))
  return {
    async catchUp() {
      if (!current) throw new Error(`nobody listens to ${subscription.channel}`)
      // PostgreSQL hands a session its notices before it answers the session's next statement.
      await current.query('select')
    },
  }
}

async function stayListening(
  database: Database,
  subscription: Subscription,
  onClient: (client: Client | null) => void,
): Promise<void> {
  const { onLost, signal } = subscription
  let waitMs = LISTEN_AGAIN_AFTER_MS
  for (;;) {
    if (signal?.aborted) return
    const error = await listenUntilLost(database, subscription, (client) => {
      if (client) waitMs = LISTEN_AGAIN_AFTER_MS
      onClient(client)
    })
    if (error.code === NO_SUCH_DATABASE || signal?.aborted) return
    onLost(error)
    await setTimeout(waitMs, undefined, { ref: false })
    waitMs = Math.min(waitMs * 2, LISTEN_AGAIN_AT_MOST_AFTER_MS)
  }
}

async function listenUntilLost(
  database: Database,
  { channel, onNotice, onListening, signal }: Subscription,
  onClient: (client: Client | null) => void,
): Promise<Error & { code?: string }> {
  const { promise: lost, resolve: lose } = Promise.withResolvers<Error>()
  const client = new Client({ ...database.api.options, stream: () => new Socket().unref() })
  const stop = () => lose(new Error('asked to stop'))
  signal?.addEventListener('abort', stop, { once: true })
  client.on('error', lose)
  client.on('end', () => lose(new Error(`The connection that listens to ${channel} has ended`)))
  client.on('notification', ({ payload = '' }) => onNotice(payload))

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
