import { randomInt } from 'node:crypto'
import type { Server } from 'node:http'

import type { DatabasePools } from '#backend/database/pool.ts'
import { clientAddressOf, type Proxies, requestIdOf } from '#backend/http/edge.ts'
import type { Credentials } from '#backend/http/gateway.ts'
import { createKeyRing } from '#backend/http/keys.ts'
import { siteOf } from '#backend/http/network.ts'
import { createTokenCheck, type Claims } from '#backend/http/tokens.ts'

import { createIdentify } from './channel/caller.ts'
import { createChannelHandlers } from './channel/channel-handlers.ts'
import { createJoinQueue } from './channel/join-queue.ts'
import { ChannelTokens } from './channel/channel-tokens.ts'
import { Presences, removeDeadPresences } from './channel/presence.ts'
import { dropOldMessages } from './channel/replay.ts'
import { watchTables } from './changes/published-table.ts'
import { dispatch, failAllChannels } from './feed/dispatch.ts'
import { Feed } from './feed/feed.ts'
import { Hub } from './hub.ts'
import { LIMITS, type Limits, DEFAULT_FEATURES, type Features, JOIN_BYTES } from './limits.ts'
import { isRealtimeUpgrade } from './socket/admit.ts'
import { Sockets } from './socket/sockets.ts'
import type { Log } from '#backend/process/log.ts'

export interface RealtimeOptions extends Credentials {
  database: DatabasePools
  log: Pick<Log, 'error' | 'warn'>
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
  const features = { ...DEFAULT_FEATURES, ...options.features }
  const frameBytes = features.broadcast || features.presence ? LIMITS.frameBytes : JOIN_BYTES
  const limits = { ...LIMITS, frameBytes, ...options.limits }
  const stopping = new AbortController()
  const publication = { owner: database.owner, name: options.publication ?? 'supabase_realtime' }
  const presences = new Presences({ owner: database.owner, process: randomInt(2 ** 31), log })
  const hub = new Hub((channel) => presences.forget(channel))
  const feed = new Feed({
    database,
    log,
    signal: stopping.signal,
    hasSubscribers: () => !hub.isEmpty,
    onEntries: (entries) => dispatch({ database, publication, hub, log }, entries),
    onGap: () => failAllChannels(hub),
    onListening: async (client) => {
      await presences.lock(client)
      await presences.restore(hub.everyChannel())
    },
  })
  const checkToken = createTokenCheck(options.verifyToken, legacySecret)
  const identify = createIdentify({ checkToken, isRevoked: options.isRevoked ?? (async () => false) })
  const tokens = new ChannelTokens({ database, hub, identify, log, checkIntervalMs: limits.tokenCheckMs })
  const joinQueue = createJoinQueue()
  const handlers = createChannelHandlers({
    hub,
    joinQueue,
    tokens,
    join: {
      database,
      joinQueue,
      publication,
      hub,
      feed,
      identify,
      tokens,
      presences,
      features,
      limits,
      log,
    },
    broadcast: { database, features, limits },
    presence: { database, presences, features, limits },
  })
  const sockets = new Sockets({ handlers, limits, log }, createKeyRing(keys, legacySecret))
  feed.start()
  const sweep = setInterval(() => {
    sockets.closeSilent()
    removeDeadPresences(database.owner).catch(() => undefined) // The feed logs a lost connection.
  }, SWEEP_INTERVAL_MS).unref()
  const retention = setInterval(() => {
    dropOldMessages(database.owner).catch((error: unknown) =>
      log.error({ err: error }, 'Could not drop old messages'),
    )
  }, RETENTION_INTERVAL_MS).unref()
  watchTables(publication).catch((error: unknown) =>
    log.error({ err: error }, 'Could not create the triggers of published tables'),
  )

  return {
    serve(web, proxies) {
      web.on('upgrade', (request, socket, head) => {
        // Other libraries, such as Vite, may handle their own upgrades on this server.
        if (!isRealtimeUpgrade(request) && web.listenerCount('upgrade') > 1) return
        const forwarded = request.headersDistinct['x-forwarded-for']?.join(',')
        const address = clientAddressOf(proxies, { forwarded, socket: request.socket.remoteAddress })
        const requestId = requestIdOf(proxies, request.headers)
        sockets.open(request, socket, { head, network: siteOf(address ?? ''), requestId })
      })
    },
    async close() {
      clearInterval(sweep)
      clearInterval(retention)
      await presences.removeOwn().catch(() => undefined) // Another process removes them after this one ends.
      stopping.abort()
      await sockets.close()
      await feed.waitUntilIdle()
    },
  }
}
