import { createServer, type Server } from 'node:http'
import type { Socket } from 'node:net'
import { createClient, type RealtimeChannel, type SupabaseClient } from '@supabase/supabase-js'
import { Hono } from 'hono'
import { vi } from 'vitest'

import { allowOrigins } from '#backend/http/cors.ts'
import { createGateway } from '#backend/http/gateway.ts'
import type { Claims } from '#backend/http/tokens.ts'
import { listenerFor } from '#backend/process/listener.ts'
import { bareDatabase, type TestDatabase } from '#backend/testing/database.ts'

import { createRealtimeApi } from '../create-realtime-api.ts'
import { createRealtime, type Realtime, type RealtimeOptions } from '../create-realtime.ts'

export const KEYS = { publishable: 'sb_publishable_rooms', secret: 'sb_secret_rooms' }

export interface TestServer {
  url: string
  port: number
  realtime: Realtime
  /** Creates an official client; without `claims`, it is a visitor's. */
  client(claims?: object, options?: { vsn?: string; key?: string }): SupabaseClient
  /** Makes its clients leave their channels. A client then waits up to 300 ms for its socket, which `close` awaits. */
  leave(): void
  /** Simulates a network failure. */
  dropSockets(): void
  close(): Promise<void>
}

export interface TestRealtime extends TestDatabase {
  logged: object[]
  server: TestServer
  /** Starts a second server with separate sockets over the same database, like another process. */
  anotherServer(options?: Partial<RealtimeOptions>): Promise<TestServer>
  sql(text: string, values?: unknown[]): Promise<unknown[]>
  /** Makes the clients of all servers leave their channels. */
  leave(): void
}

/** Starts real sockets over a new database with the SQL of `schema`. */
export async function openRealtime(
  schema: string,
  options: Partial<RealtimeOptions> = {},
): Promise<TestRealtime> {
  const test = await bareDatabase()
  await test.database.owner.query(schema)
  const logged: object[] = []
  const servers: TestServer[] = []
  const anotherServer = async (more: Partial<RealtimeOptions> = {}) => {
    const server = await startServer(test, logged, { ...options, ...more })
    servers.push(server)
    return server
  }
  return {
    ...test,
    logged,
    server: await anotherServer(),
    anotherServer,
    sql: async (text, values) => (await test.database.owner.query(text, values)).rows,
    leave() {
      for (const server of servers) server.leave()
    },
    async close() {
      for (const server of servers) await server.close()
      await test.close()
    },
  }
}

async function startServer(
  { database }: TestDatabase,
  logged: object[],
  options: Partial<RealtimeOptions>,
): Promise<TestServer> {
  const log = {
    error: (fields: object, message: string) => logged.push({ message, ...fields }),
    warn: (fields: object, message: string) => logged.push({ message, ...fields }),
  }
  const realtime = createRealtime({ database, keys: KEYS, verifyToken, log, ...options })
  const app = new Hono()
    .use(allowOrigins(), createGateway({ keys: KEYS, verifyToken }))
    .route('/realtime/v1', createRealtimeApi({ database }))
  const web = createServer(listenerFor(app.fetch))
  realtime.serve(web, { trustProxy: 0 })
  const opened = new Set<Socket>()
  web.on('connection', (socket) => {
    opened.add(socket)
    socket.once('close', () => opened.delete(socket))
  })
  const port = await listening(web)
  const url = `http://127.0.0.1:${port}`
  const clients: SupabaseClient[] = []
  const leaving: Promise<unknown>[] = []
  const leave = () => {
    for (const client of clients.splice(0)) leaving.push(client.removeAllChannels())
  }
  return {
    url,
    port,
    realtime,
    client(claims, { vsn = '2.0.0', key = KEYS.publishable } = {}) {
      const client = createClient(url, key, {
        auth: { persistSession: false, autoRefreshToken: false },
        realtime: { vsn, reconnectAfterMs: () => 50 },
        ...(claims && { accessToken: async () => tokenWithClaims(claims) }),
      })
      clients.push(client)
      return client
    },
    leave,
    dropSockets() {
      for (const socket of opened) socket.destroy()
    },
    async close() {
      leave()
      await Promise.all(leaving)
      await realtime.close()
      web.closeAllConnections()
      await new Promise((resolve) => web.close(resolve))
    },
  }
}

/** Creates a token that the test server accepts. */
export function tokenWithClaims(claims: object): string {
  const all = { role: 'authenticated', exp: Math.floor(Date.now() / 1000) + 3600, ...claims }
  return ['e30', Buffer.from(JSON.stringify(all)).toString('base64url'), 'x'].join('.')
}

async function verifyToken(token: string): Promise<Claims> {
  const [, body = '', signature] = token.split('.')
  const claims: Claims = JSON.parse(Buffer.from(body, 'base64url').toString())
  if (signature !== 'x') throw Object.assign(new Error('forged'), { code: 'token_invalid' })
  if (Number(claims.exp) * 1000 <= Date.now())
    throw Object.assign(new Error('expired'), { code: 'token_expired' })
  return claims
}

function listening(web: Server): Promise<number> {
  return new Promise((resolve) => {
    web.listen(0, '127.0.0.1', () => {
      const address = web.address()
      resolve(typeof address === 'object' && address ? address.port : 0)
    })
  })
}

export interface ReceivedEvents {
  changes: {
    eventType: string
    table: string
    new: Record<string, unknown>
    old: Record<string, unknown>
    errors: unknown
    commit_timestamp: string
  }[]
  system: { status: string; message: string; extension: string; channel: string }[]
  statuses: string[]
  errors: string[]
}

/** Subscribes the channel and collects what it receives. */
export function watch(channel: RealtimeChannel, ...filters: object[]) {
  const received: ReceivedEvents = { changes: [], system: [], statuses: [], errors: [] }
  for (const filter of filters) {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the client's overloads want literal types; tests send what they like
    channel.on('postgres_changes', filter as { event: '*'; schema: string }, (payload) => {
      received.changes.push(payload)
    })
  }
  channel.on('system', {}, (payload: ReceivedEvents['system'][number]) => received.system.push(payload))
  channel.subscribe((status, error) => {
    received.statuses.push(status)
    if (error) received.errors.push(error.message)
  })
  return received
}

/** Retries an expectation, because messages travel through a database and sockets. */
export function eventually(check: () => unknown, withinMs = 30_000): Promise<unknown> {
  return vi.waitFor(check, withinMs)
}
