import { randomInt } from 'node:crypto'
import type { Server } from 'node:http'

import type { DatabasePools } from '#backend/database/pool.ts'
import { clientAddressOf, type Proxies } from '#backend/http/edge.ts'
import { createKeyRing, type GatewayKeys } from '#backend/http/keys.ts'
import { networkOf } from '#backend/http/network.ts'
import { createTokenCheck, type Claims, type VerifyToken } from '#backend/http/tokens.ts'

import {
  removeDeadPresences,
  removeOwnPresences,
  PRESENCE_LOCKS,
  restorePresences,
} from './channel/presence.ts'
import { dropOldMessages } from './channel/replay.ts'
import { watchTables } from './changes/subscribe.ts'
import { dispatch, failAllChannels } from './feed/dispatch.ts'
import { Feed } from './feed/feed.ts'
import { Hub } from './hub.ts'
import { LIMITS, type Limits, DEFAULT_FEATURES, type Features } from './limits.ts'
import type { RealtimeLog, RealtimeParts } from './parts.ts'
import { isRealtimeUpgrade } from './socket/admit.ts'
import { Sockets } from './socket/sockets.ts'

export interface RealtimeOptions {
  database: DatabasePools
  keys: GatewayKeys
  verifyToken: VerifyToken
  log: RealtimeLog
  /** Accepts keys and tokens that were signed with the legacy shared secret. */
  legacySecret?: string | undefined
  /** Whether a valid token is revoked, for example because its session has ended. */
  isRevoked?: (claims: Claims) => Promise<boolean>
  /** The publication with the tables that clients can subscribe to. */
  publication?: string
  limits?: Partial<Limits>
  /** All features are enabled by default, as in the hosted product. */
  features?: Partial<Features>
}

export interface Realtime {
  /** Accepts WebSocket upgrades of a web server at `/realtime/v1/websocket`. */
  serve(web: Server, proxies: Proxies): void
  /** Must be called before the database closes. */
  close(): Promise<void>
}

const SWEEP_INTERVAL_MS = 5_000
const RETENTION_INTERVAL_MS = 60 * 60_000

/** Serves changes, broadcast and presence; any number of processes may share a database. */
export function createRealtime(options: RealtimeOptions): Realtime {
  const { database, keys, log, legacySecret } = options
  const stopping = new AbortController()
  const hub = new Hub()
  const feed = new Feed({
    database,
    log,
    signal: stopping.signal,
    hasSubscribers: () => !hub.isEmpty,
    onEntries: (entries) => dispatch(parts, entries),
    onGap: () => failAllChannels(parts),
    onListening: async (client) => {
      await client.query('select pg_advisory_lock($1, $2)', [PRESENCE_LOCKS, parts.process])
      await restorePresences(parts)
    },
  })
  const parts: RealtimeParts = {
    database,
    publication: options.publication ?? 'supabase_realtime',
    log,
    limits: { ...LIMITS, ...options.limits },
    features: { ...DEFAULT_FEATURES, ...options.features },
    hub,
    feed,
    checkToken: createTokenCheck(options.verifyToken, legacySecret),
    isRevoked: options.isRevoked ?? (async () => false),
    process: randomInt(2 ** 31),
  }
  const sockets = new Sockets(parts, createKeyRing(keys, legacySecret))
  feed.start()
  const sweep = setInterval(() => {
    sockets.closeSilent()
    removeDeadPresences(database.owner).catch(() => undefined) // The feed logs a lost connection.
  }, SWEEP_INTERVAL_MS).unref()
  const retention = setInterval(() => {
    dropOldMessages(parts).catch((error: unknown) => log.error({ err: error }, 'Could not drop old messages'))
  }, RETENTION_INTERVAL_MS).unref()
  watchTables(parts).catch((error: unknown) =>
    log.error({ err: error }, 'Could not create the triggers of published tables'),
  )

  return {
    serve(web, proxies) {
      web.on('upgrade', (request, socket, head) => {
        // Other libraries, such as Vite, may handle their own upgrades on this server.
        if (!isRealtimeUpgrade(request) && web.listenerCount('upgrade') > 1) return
        const forwarded = request.headersDistinct['x-forwarded-for']?.join(',')
        const address = clientAddressOf(proxies, { forwarded, socket: request.socket.remoteAddress })
        sockets.open(request, socket, { head, network: networkOf(address ?? '') })
      })
    },
    async close() {
      clearInterval(sweep)
      clearInterval(retention)
      await removeOwnPresences(parts).catch(() => undefined) // Another process removes them after this one ends.
      stopping.abort()
      await sockets.close()
      await feed.waitUntilIdle()
    },
  }
}
