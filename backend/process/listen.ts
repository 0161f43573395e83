import { createServer, type RequestListener, type Server } from 'node:http'

/** The port or address cannot be had; the message tells the operator what to do. */
export class CannotListen extends Error {}

/** A slow client may not hold a connection for ever, nor the whole of it in headers. */
const REQUEST_TIMEOUT_MS = 60_000
const HEADERS_TIMEOUT_MS = 15_000

/**
 * Node refuses longer addresses and headers itself, with an empty 431 that pages of other origins cannot read. So it takes
 * twice what the services take, and they refuse in their own form.
 */
const MAX_HEADER_BYTES = 64 * 1024

export function createWebServer(listener: RequestListener): Server {
  const options = {
    requestTimeout: REQUEST_TIMEOUT_MS,
    headersTimeout: HEADERS_TIMEOUT_MS,
    maxHeaderSize: MAX_HEADER_BYTES,
  }
  return createServer(options, listener)
}

export function listen(server: Server, { host, port }: { host: string; port: number }): Promise<void> {
  return new Promise((settle, fail) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      fail(new CannotListen(reasonFor(error, host, port))),
    )
    server.listen({ host, port }, settle)
  })
}

function reasonFor(error: NodeJS.ErrnoException, host: string, port: number): string {
  if (error.code === 'EADDRINUSE') {
    return `port ${port} is in use: stop what listens there, or set PORT to another one`
  }
  if (error.code === 'EACCES') {
    return `port ${port} may not be used by this user: set PORT to one above 1023`
  }
  return `cannot listen on ${host}: ${error.message}`
}

/** Takes no new request, waits for those in flight, and after `withinMs` cuts off what is left. */
export async function closeWebServer(server: Server, withinMs: number): Promise<void> {
  const closed = new Promise<void>((settle) => server.close(() => settle()))
  // A connection that is kept alive counts as idle only when its last answer is out.
  const sweeping = setInterval(() => server.closeIdleConnections(), 50)
  const cutting = setTimeout(() => server.closeAllConnections(), withinMs)
  await closed
  clearInterval(sweeping)
  clearTimeout(cutting)
}
