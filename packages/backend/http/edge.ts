import { randomUUID } from 'node:crypto'
import { isIP } from 'node:net'
import {
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeader,
  type OutgoingHttpHeaders,
  ServerResponse,
} from 'node:http'
import { createMiddleware } from 'hono/factory'
import type { Logger } from 'pino'

import { withinRequest } from './request-context.ts'

export interface Proxies {
  /** Number of proxies that append to `X-Forwarded-For`; 0 ignores the header. */
  trustProxy: number
}

export interface EdgeVariables {
  requestId: string
  /** The client's address; null for in-process calls. */
  remoteAddress: string | null
}

/** What the listener knows beyond the Request; absent for in-process calls. */
export interface ListenerContext {
  remoteAddress?: string
  /** Node's own headers: iterating over those of the Request would copy each one. */
  headers?: IncomingHttpHeaders
  /** Whether the client disconnected before its whole request had arrived. */
  isAborted?: () => boolean
}

type Incoming = Pick<IncomingMessage, 'headers' | 'complete' | 'destroyed'> & {
  socket: { remoteAddress?: string | undefined }
}

export function connectionOf(incoming: Incoming): ListenerContext {
  const { socket, headers } = incoming
  return {
    remoteAddress: socket.remoteAddress,
    headers,
    isAborted: () => incoming.destroyed && !incoming.complete,
  }
}

interface Edge {
  Bindings: ListenerContext | undefined
  Variables: EdgeVariables
}

/** Sets `requestId`, also in the response and for the transactions of the request (`requestSetting`). */
export function assignRequestId(proxies: Proxies) {
  return createMiddleware<Edge>(async (c, next) => {
    const id = requestIdOf(proxies, c.env?.headers ?? { 'x-request-id': c.req.header('X-Request-Id') })
    c.set('requestId', id)
    await withinRequest(id, next)
    c.res.headers.set(REQUEST_ID_HEADER, id)
  })
}

/** In lower case, as all names of a Response's headers. */
export const REQUEST_ID_HEADER = 'x-request-id'

/** Key of the request's id in its headers object, which every part of the process can read. */
const REQUEST_ID = Symbol('request id')
type NamedHeaders = IncomingHttpHeaders & { [REQUEST_ID]?: string }

/** Returns a trusted proxy's `X-Request-Id`, otherwise a new id; always the same for the same headers object. */
export function requestIdOf({ trustProxy }: Proxies, headers: NamedHeaders): string {
  const known = headers[REQUEST_ID]
  if (known) return known
  const proxyId = trustProxy > 0 ? headers['x-request-id'] : undefined
  const id = typeof proxyId === 'string' && /^[\w=-]{1,255}$/.test(proxyId) ? proxyId : randomUUID()
  headers[REQUEST_ID] = id
  return id
}

type Fields = OutgoingHttpHeaders | OutgoingHttpHeader[]

/**
 * Returns a response class that adds the request's id to every response, also to files, refusals and cached pages, which bypass the
 * middleware. `writeHead` adds it, because an earlier `setHeader` would make Node merge two lists of headers field by field.
 */
export function responsesWithRequestId(proxies: Proxies): typeof ServerResponse<IncomingMessage> {
  return class NamedResponse extends ServerResponse {
    override writeHead(status: number, message?: string | Fields, fields?: Fields): this {
      const id = requestIdOf(proxies, this.req.headers)
      return typeof message === 'string'
        ? super.writeHead(status, message, withRequestId(fields, id))
        : super.writeHead(status, withRequestId(message, id))
    }
  }
}

function withRequestId(fields: Fields = {}, id: string): Fields {
  if (!Array.isArray(fields)) return { ...fields, [REQUEST_ID_HEADER]: id }
  // The services' middleware has already added the id. Every second entry is a value.
  const isNamed = fields.some((entry, index) => index % 2 === 0 && entry === REQUEST_ID_HEADER)
  return isNamed ? fields : [...fields, REQUEST_ID_HEADER, id]
}

/** Sets `remoteAddress`. */
export function findRemoteAddress(proxies: Proxies) {
  return createMiddleware<Edge>(async (c, next) => {
    const forwarded = c.req.header('X-Forwarded-For')
    c.set('remoteAddress', clientAddressOf(proxies, { forwarded, socket: c.env?.remoteAddress }))
    await next()
  })
}

/** Returns the address that the outermost trusted proxy saw, otherwise the socket's. */
export function clientAddressOf(
  { trustProxy }: Proxies,
  { forwarded, socket }: { forwarded?: string | undefined; socket?: string | undefined },
): string | null {
  // Each proxy appends its caller's address. Entries further left come from the client and can be forged.
  const seenByProxy = trustProxy > 0 ? plainAddress(forwarded?.split(',').at(-trustProxy)?.trim()) : null
  return seenByProxy ?? socket ?? null
}

/** Some proxies write `203.0.113.7:50412` or `[2001:db8::7]:50412`. With the port, each connection would count as a new client. */
const ENTRY = /^(?:\[(?<bracketed>.+)\](?::\d+)?|(?<withPort>[\d.]+):\d+|(?<bare>.+))$/

function plainAddress(entry = ''): string | null {
  const { bracketed, withPort, bare } = ENTRY.exec(entry)?.groups ?? {}
  const address = bracketed ?? withPort ?? bare ?? ''
  return isIP(address) ? address : null
}

/** For request lines, which contain no secrets: redaction costs more than writing them. */
export function unredactedLog(log: Logger): Logger {
  return log.child({}, { redact: [] })
}

/** One line per request. */
export function logRequests(log: Logger) {
  const plain = unredactedLog(log)
  return createMiddleware<Edge>(async (c, next) => {
    const start = performance.now()
    await next()
    const { method, path } = c.req
    const isAborted = c.env?.isAborted?.() ?? false
    logRequest(plain, { id: c.get('requestId'), method, path, status: c.res.status, start, isAborted })
  })
}

interface RequestLogEntry {
  id: string
  method: string | undefined
  /** Without the query: it may carry tokens. */
  path: string
  status: number
  /** By `performance.now()`. */
  start: number
  /** The client disconnected early, so a status of 500 is not logged as an error. */
  isAborted?: boolean
}

export function logRequest(log: Logger, { start, isAborted = false, ...facts }: RequestLogEntry): void {
  const line = { ...facts, ...(isAborted && { isAborted }), ms: Math.round(performance.now() - start) }
  log[facts.status >= 500 && !isAborted ? 'error' : 'info'](line, 'request')
}
