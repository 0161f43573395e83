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

/** What the listener knows of a connection; absent for calls from within the process. */
export interface Connection {
  remoteAddress?: string
}

interface Edge {
  Bindings: Connection | undefined
  Variables: EdgeVariables
}

/** An id of its own for each request; a proxy that is trusted may have given it one. */
export function nameRequest({ trustProxy }: Proxies) {
  return requestId({ headerName: trustProxy > 0 ? 'X-Request-Id' : '' })
}

/** Sets `remoteAddress`: the socket's, or what the outermost trusted proxy saw. */
export function findRemoteAddress({ trustProxy }: Proxies) {
  return createMiddleware<Edge>(async (c, next) => {
    const forwarded = c.req.header('X-Forwarded-For')?.split(',') ?? []
    // Each proxy appends whom it was called by. What stands further left was sent by the client, who can write anything.
    const seenByProxy = trustProxy > 0 ? forwarded.at(-trustProxy)?.trim() : undefined
    c.set('remoteAddress', seenByProxy ?? c.env?.remoteAddress ?? null)
    await next()
  })
}

/** One line per request. Paths only: queries may carry tokens. */
export function logRequests(log: Logger) {
  return createMiddleware<Edge>(async (c, next) => {
    const start = performance.now()
    await next()
    const facts = {
      id: c.get('requestId'),
      method: c.req.method,
      path: c.req.path,
      status: c.res.status,
      ms: Math.round(performance.now() - start),
    }
    log[c.res.status >= 500 ? 'error' : 'info'](facts, 'request')
  })
}
