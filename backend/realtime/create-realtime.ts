import { randomInt } from 'node:crypto'
import type { Server } from 'node:http'

import type { Database } from '#backend/database/pool.ts'
import { clientAddressOf, type Proxies } from '#backend/http/edge.ts'
import { createKeyRing, type GatewayKeys } from '#backend/http/keys.ts'
import { networkOf } from '#backend/http/network.ts'
import { createTokenCheck, type Claims, type VerifyToken } from '#backend/http/tokens.ts'

import { endAbandoned, endOwn, PRESENCE_LOCKS, trackAgain } from './channel/presence.ts'
import { dropOldMessages } from './channel/replay.ts'
import { watchTables } from './changes/subscribe.ts'
import { dispatch, tellOfGap } from './feed/dispatch.ts'
import { Feed } from './feed/feed.ts'
import { Hub } from './hub.ts'
import { LIMITS, type Limits, OFFERS, type Offers } from './limits.ts'
import type { RealtimeLog, RealtimeParts } from './parts.ts'
import { isRealtimeUpgrade } from './socket/admit.ts'
import { Sockets } from './socket/sockets.ts'

export interface RealtimeOptions {
  database: Database
  keys: GatewayKeys
  verifyToken: VerifyToken
  log: RealtimeLog
  /** Lets keys and tokens signed with the old shared secret in. */
  legacySecret?: string | undefined
  /** Whether a token that is good in itself counts no more, say because its session was ended. */
  isRevoked?: (claims: Claims) => Promise<boolean>
  /** The publication that names the tables whose changes are announced. */
  publication?: string
  limits?: Partial<Limits>
  /** Left out, clients may broadcast and track presence, as with the hosted product. */
  offers?: Partial<Offers>
}

export interface Realtime {
  /** Opens sockets at `/realtime/v1/websocket` of a web server. */
  serve(web: Server, proxies: Proxies): void
  /** To be called before the database closes. */
  close(): Promise<void>
}

const SWEEP_EVERY_MS = 5_000
const FORGET_EVERY_MS = 60 * 60_000

/** Live changes, broadcast and presence for the sockets of one web server; any number of these may share a database. */
export function createRealtime(options: RealtimeOptions): Realtime {
  const { database, keys, log, legacySecret } = options
  const stopping = new AbortController()
  const hub = new Hub()
  const feed = new Feed({
    database,
    log,
    signal: stopping.signal,
    isWanted: () => !hub.isEmpty,
    onEntries: (entries) => dispatch(parts, entries),
    onGap: () => tellOfGap(parts),
    onListening: async (client) => {
      await client.query('select pg_advisory_lock($1, $2)', [PRESENCE_LOCKS, parts.process])
      await trackAgain(parts)
    },
  })
  const parts: RealtimeParts = {
    database,
    publication: options.publication ?? 'supabase_realtime',
    log,
    limits: { ...LIMITS, ...options.limits },
    offers: { ...OFFERS, ...options.offers },
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
    endAbandoned(database.owner).catch(() => undefined) // The feed says so when the database is away.
  }, SWEEP_EVERY_MS).unref()
  const forget = setInterval(() => {
    dropOldMessages(parts).catch((error: unknown) =>
      log.error({ err: error }, 'old messages were not dropped'),
    )
  }, FORGET_EVERY_MS).unref()
  watchTables(parts).catch((error: unknown) =>
    log.error({ err: error }, 'the published tables are not watched yet'),
  )

  return {
    serve(web, proxies) {
      web.on('upgrade', (request, socket, head) => {
        // Others may serve sockets of their own on this server, as Vite does; they know theirs.
        if (!isRealtimeUpgrade(request) && web.listenerCount('upgrade') > 1) return
        const forwarded = request.headersDistinct['x-forwarded-for']?.join(',')
        const address = clientAddressOf(proxies, { forwarded, socket: request.socket.remoteAddress })
        sockets.open(request, socket, { head, network: networkOf(address ?? '') })
      })
    },
    async close() {
      clearInterval(sweep)
      clearInterval(forget)
      await endOwn(parts).catch(() => undefined) // Another process does it when this one is gone.
      stopping.abort()
      await sockets.close()
      await feed.rest()
    },
  }
}
