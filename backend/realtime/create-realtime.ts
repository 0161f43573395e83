import { randomInt } from 'node:crypto'
import { STATUS_CODES, type IncomingMessage, type Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'

import type { Database } from '#backend/database/pool.ts'
import { addressOf, type Proxies } from '#backend/http/edge.ts'
import { createKeyRing, type GatewayKeys } from '#backend/http/keys.ts'
import { createTokenCheck, type Claims, type VerifyToken } from '#backend/http/tokens.ts'

import { endAbandoned, endOwn, PRESENCE_LOCKS, trackAgain } from './channel/presence.ts'
import { watchTables } from './changes/subscribe.ts'
import { dispatch, tellOfGap } from './feed/dispatch.ts'
import { Feed } from './feed/feed.ts'
import { Hub } from './hub.ts'
import { LIMITS, type Limits } from './limits.ts'
import type { RealtimeLog, RealtimeParts } from './parts.ts'
import { admit, isRealtimeUpgrade, type Admission } from './socket/admit.ts'
import { Connection } from './socket/connection.ts'

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
}

export interface Realtime {
  /** Opens sockets at `/realtime/v1/websocket` of a web server. */
  serve(web: Server, proxies: Proxies): void
  /** To be called before the database closes. */
  close(): Promise<void>
}

const SWEEP_EVERY_MS = 5_000
const RESTARTING = 1012

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
  watchTables(parts).catch((error: unknown) =>
    log.error({ err: error }, 'the published tables are not watched yet'),
  )

  return {
    serve(web, proxies) {
      web.on('upgrade', (request, socket, head) => {
        // Others may serve sockets of their own on this server, as Vite does; they know theirs.
        if (!isRealtimeUpgrade(request) && web.listenerCount('upgrade') > 1) return
        const forwarded = request.headersDistinct['x-forwarded-for']?.join(',')
        const address = addressOf(proxies, { forwarded, socket: request.socket.remoteAddress })
        sockets.open(request, socket, { head, address: address ?? '' })
      })
    },
    async close() {
      clearInterval(sweep)
      await endOwn(parts).catch(() => undefined) // Another process does it when this one is gone.
      stopping.abort()
      await sockets.close()
      await feed.rest()
    },
  }
}

class Sockets {
  readonly #parts: RealtimeParts
  readonly #findKeyRole: ReturnType<typeof createKeyRing>
  readonly #server: WebSocketServer
  readonly #open = new Set<Connection>()
  readonly #fromAddress = new Map<string, number>()
  #isClosing = false

  constructor(parts: RealtimeParts, findKeyRole: ReturnType<typeof createKeyRing>) {
    this.#parts = parts
    this.#findKeyRole = findKeyRole
    // NOTE: without compression: it would cost each socket more memory than all else together.
    this.#server = new WebSocketServer({
      noServer: true,
      clientTracking: false,
      maxPayload: parts.limits.frameBytes,
      perMessageDeflate: false,
    })
  }

  open(
    request: IncomingMessage,
    socket: Duplex,
    { head, address }: { head: Buffer; address: string },
  ): void {
    const dropped = () => socket.destroy()
    socket.on('error', dropped)
    this.#admit(request, address)
      .then((admission) => {
        if (!('version' in admission)) return refuse(socket, admission)
        socket.off('error', dropped)
        this.#server.handleUpgrade(request, socket, head, (webSocket) => {
          const connection = new Connection(this.#parts, webSocket, admission)
          this.#count(address, 1)
          this.#open.add(connection)
          webSocket.on('close', () => {
            this.#open.delete(connection)
            this.#count(address, -1)
          })
        })
      })
      .catch((error: unknown) => {
        this.#parts.log.error({ err: error }, 'a socket could not be opened')
        refuse(socket, { status: 500, body: { error: 'Error connecting to Realtime' } })
      })
  }

  async #admit(request: IncomingMessage, address: string): Promise<Admission | Refused> {
    if (this.#isClosing) return { status: 503, body: { error: 'Realtime is restarting, please standby' } }
    const open = { all: this.#open.size, fromAddress: this.#fromAddress.get(address) ?? 0 }
    return admit({ request, findKeyRole: this.#findKeyRole, limits: this.#parts.limits, open })
  }

  #count(address: string, change: 1 | -1): void {
    const count = (this.#fromAddress.get(address) ?? 0) + change
    if (count > 0) this.#fromAddress.set(address, count)
    else this.#fromAddress.delete(address)
  }

  closeSilent(): void {
    for (const connection of this.#open) {
      if (connection.silentForMs > 2 * this.#parts.limits.silentMs) connection.terminate()
      else if (connection.silentForMs > this.#parts.limits.silentMs) connection.close(1000, 'no heartbeat')
    }
  }

  /** Clients come back by themselves, to this process when it is up again or to another. */
  async close(): Promise<void> {
    this.#isClosing = true
    for (const connection of this.#open) connection.close(RESTARTING, 'restarting')
    const deadline = Date.now() + 1_000
    while (this.#open.size > 0 && Date.now() < deadline)
      await new Promise((resolve) => setTimeout(resolve, 20))
    for (const connection of this.#open) connection.terminate()
  }
}

interface Refused {
  status: number
  body: object
}

function refuse(socket: Duplex, { status, body }: Refused): void {
  const text = JSON.stringify(body)
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(text)}`,
    'Connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${text}`)
}
