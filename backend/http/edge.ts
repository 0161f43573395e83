import { randomUUID } from 'node:crypto'
import { isIP } from 'node:net'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { createMiddleware } from 'hono/factory'
import { requestId } from 'hono/request-id'
import type { Logger } from 'pino'

/** Who stands in front. */
export interface Proxies {
  /** How many add to `X-Forwarded-For`; 0 believes no such header. */
  trustProxy: number
}

export interface EdgeVariables {
  requestId: string
  /** The client's address, or null for a call from within the process. */
  remoteAddress: string | null
}

/** What the listener knows of a request besides the Request; absent for calls from within the process. */
export interface Connection {
  remoteAddress?: string
  /** All headers, as Node read them: to go through those of the Request would make a copy of each first. */
  headers?: IncomingHttpHeaders
  /** Whether the client went away before all of its request had arrived. */
  isCut?: () => boolean
}

type Incoming = Pick<IncomingMessage, 'headers' | 'complete' | 'destroyed'> & {
  socket: { remoteAddress?: string | undefined }
}

export function connectionOf(incoming: Incoming): Connection {
  const { socket, headers } = incoming
  return {
    remoteAddress: socket.remoteAddress,
    headers,
    isCut: () => incoming.destroyed && !incoming.complete,
  }
}

interface Edge {
  Bindings: Connection | undefined
  Variables: EdgeVariables
}

/** An id of its own for each request; a proxy that is trusted may have given it one. */
export function nameRequest({ trustProxy }: Proxies) {
  return requestId({ headerName: trustProxy > 0 ? 'X-Request-Id' : '' })
}

/** The same for what is answered past the middleware. */
export function requestIdOf({ trustProxy }: Proxies, headers: IncomingHttpHeaders): string {
  const given = trustProxy > 0 ? headers['x-request-id'] : undefined
  return typeof given === 'string' && /^[\w=-]{1,255}$/.test(given) ? given : randomUUID()
}

/** Sets `remoteAddress`. */
export function findRemoteAddress(proxies: Proxies) {
  return createMiddleware<Edge>(async (c, next) => {
    const forwarded = c.req.header('X-Forwarded-For')
    c.set('remoteAddress', addressOf(proxies, { forwarded, socket: c.env?.remoteAddress }))
    await next()
  })
}

interface Seen {
  forwarded?: string | undefined
  socket?: string | undefined
}

/** The socket's address, or what the outermost trusted proxy saw. */
export function addressOf({ trustProxy }: Proxies, { forwarded, socket }: Seen): string | null {
  // Each proxy appends whom it was called by. What stands further left was sent by the client, who can write anything.
  const seenByProxy = trustProxy > 0 ? plainAddress(forwarded?.split(',').at(-trustProxy)?.trim()) : null
  return seenByProxy ?? socket ?? null
}

/** Some proxies write `203.0.113.7:50412` or `[2001:db8::7]:50412`. With its port each connection would count as a new caller. */
const ENTRY = /^(?:\[(?<bracketed>.+)\](?::\d+)?|(?<withPort>[\d.]+):\d+|(?<bare>.+))$/

function plainAddress(entry = ''): string | null {
  const { bracketed, withPort, bare } = ENTRY.exec(entry)?.groups ?? {}
  const address = bracketed ?? withPort ?? bare ?? ''
  return isIP(address) ? address : null
}

/** For lines about requests: there is nothing to hide in them, and looking for it costs more than to write them. */
export function plainLog(log: Logger): Logger {
  return log.child({}, { redact: [] })
}

/** One line per request. */
export function logRequests(log: Logger) {
  const plain = plainLog(log)
  return createMiddleware<Edge>(async (c, next) => {
    const start = performance.now()
    await next()
    const { method, path } = c.req
    const isCut = c.env?.isCut?.() ?? false
    logRequest(plain, { id: c.get('requestId'), method, path, status: c.res.status, start, isCut })
  })
}

interface Answered {
  id: string
  method: string | undefined
  /** Without the query: it may carry tokens. */
  path: string
  status: number
  /** By `performance.now()`. */
  start: number
  /** The client went away before it had sent everything: whatever the answer says, it is no failure of ours. */
  isCut?: boolean
}

export function logRequest(log: Logger, { start, isCut = false, ...facts }: Answered): void {
  const line = { ...facts, ...(isCut && { isCut }), ms: Math.round(performance.now() - start) }
  log[facts.status >= 500 && !isCut ? 'error' : 'info'](line, 'request')
}
