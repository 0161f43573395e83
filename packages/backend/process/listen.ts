import { createServer, type RequestListener, type Server } from 'node:http'

import { type Proxies, responsesWithRequestId } from '#backend/http/edge.ts'
import { limitUnsentBytes } from './unsent-bytes.ts'

/** The port or address is not available; the message tells the operator what to do. */
export class ListenError extends Error {}

/** Timeouts against slow clients (slowloris), which could otherwise occupy all connections. */
const REQUEST_TIMEOUT_MS = 60_000
const HEADERS_TIMEOUT_MS = 15_000

/**
 * Twice the limit of the services, so that they refuse long URLs and headers in their own error format: Node's empty 431 response
 * lacks CORS headers.
 */
const MAX_HEADER_BYTES = 64 * 1024

/** Returns a server that adds the request's id to every response, and bounds the memory of responses that clients do not read. */
export function createWebServer(listener: RequestListener, proxies: Proxies): Server {
  const options = {
    ServerResponse: responsesWithRequestId(proxies),
    requestTimeout: REQUEST_TIMEOUT_MS,
    headersTimeout: HEADERS_TIMEOUT_MS,
    maxHeaderSize: MAX_HEADER_BYTES,
  }
  const server = createServer(options, listener)
  limitUnsentBytes(server)
  return server
}

export function listen(server: Server, { host, port }: { host: string; port: number }): Promise<void> {
  return new Promise((settle, fail) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      fail(new ListenError(reasonFor(error, host, port))),
    )
    server.listen({ host, port }, settle)
  })
}

/** Throws when the port or address is not available. For starts that take seconds before they listen. */
export async function requireFreePort(address: { host: string; port: number }): Promise<void> {
  const probe = createServer()
  await listen(probe, address)
  await new Promise<void>((settle) => probe.close(() => settle()))
}

function reasonFor(error: NodeJS.ErrnoException, host: string, port: number): string {
  if (error.code === 'EADDRINUSE') {
    return `port ${port} is in use: stop the other program, or set PORT to another one`
  }
  if (error.code === 'EACCES') {
    return `port ${port} may not be used by this user: set PORT to one above 1023`
  }
  return `cannot listen on ${host}: ${error.message}`
}

/** Refuses new requests, waits for requests in flight, and closes the remaining connections after `timeoutMs`. */
export async function closeWebServer(server: Server, timeoutMs: number): Promise<void> {
  const closed = new Promise<void>((settle) => server.close(() => settle()))
  // Repeats: a keep-alive connection becomes idle only after its response is sent.
  const sweeping = setInterval(() => server.closeIdleConnections(), 50)
  const cutting = setTimeout(() => server.closeAllConnections(), timeoutMs)
  await closed
  clearInterval(sweeping)
  clearTimeout(cutting)
}
