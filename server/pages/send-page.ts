import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Logger } from 'pino'
import { logRequest, REQUEST_ID_HEADER, requestIdOf, unredactedLog } from '@saltfreak/backend'
import { refuse } from '../overload.ts'
import { securityHeaders } from '../security-headers.ts'
import type { Settings } from '../settings.ts'
import type { Encoding, RenderedPage } from './rendered-page.ts'
import { QueueFullError } from './render-queue.ts'

/** Shown to the visitor; the log has the cause. */
export const FAILURE = 'Something went wrong on our side. Please try again.'

interface PageExchange {
  incoming: IncomingMessage
  outgoing: ServerResponse
  /** From `performance.now()`. */
  start: number
  /** Of the request, for the response and the log. */
  id: string
}

/** Sends pages directly to the connection, past the router's middleware: adds the security headers and logs the request itself. */
export function createSender(settings: Settings, log: Logger) {
  const defaultHeaders = securityHeaders(settings)
  const plain = unredactedLog(log)

  function respond(
    { incoming, outgoing, start, id }: PageExchange,
    { status, headers, body }: PageResponse,
  ): void {
    outgoing.writeHead(status, { ...defaultHeaders, ...headers, [REQUEST_ID_HEADER]: id })
    outgoing.end(incoming.method === 'HEAD' ? undefined : body)
    const { method, url = '' } = incoming
    logRequest(plain, { id, method, path: pathOf(url), status, start })
  }

  return {
    begin: (incoming: IncomingMessage, outgoing: ServerResponse): PageExchange => ({
      incoming,
      outgoing,
      start: performance.now(),
      id: requestIdOf(settings, incoming.headers),
    }),
    /** Returns false, and sends nothing, when the page is not cached in the accepted encoding. */
    sendCached(page: RenderedPage, exchange: PageExchange): boolean {
      const encoding = page.encodingFor(exchange.incoming.headers['accept-encoding'])
      const body = page.encodedBody(encoding)
      if (body)
        respond(exchange, isNotModified(page, exchange) ? notModified(page) : fullPage(page, encoding, body))
      return body !== undefined
    },
    /** Sends the page, a 503 when the queue is full, or a 500. Never rejects. */
    async sendWhenRendered(rendering: Promise<RenderedPage>, exchange: PageExchange): Promise<void> {
      try {
        const page = await rendering
        if (isNotModified(page, exchange)) return respond(exchange, notModified(page))
        const encoding = page.encodingFor(exchange.incoming.headers['accept-encoding'])
        respond(exchange, fullPage(page, encoding, await page.body(encoding)))
      } catch (error) {
        if (error instanceof QueueFullError) return void refuse(exchange.incoming, exchange.outgoing)
        const { id, incoming } = exchange
        log.error({ err: error, id, path: pathOf(incoming.url ?? '') }, 'a page could not be rendered')
        if (exchange.outgoing.headersSent) return
        const headers = { 'content-type': 'text/plain; charset=utf-8' }
        respond(exchange, { status: 500, headers, body: Buffer.from(FAILURE) })
      }
    },
  }
}

interface PageResponse {
  status: number
  headers: Record<string, string>
  body?: Buffer
}

const notModified = (page: RenderedPage): PageResponse => ({
  status: 304,
  headers: page.notModifiedHeaders(),
})

function fullPage(page: RenderedPage, encoding: Encoding, body: Buffer): PageResponse {
  return { status: page.status, headers: page.headersFor(encoding, body.byteLength), body }
}

function isNotModified(page: RenderedPage, { incoming }: PageExchange): boolean {
  return page.status === 200 && page.matchesETag(incoming.headers['if-none-match'])
}

function pathOf(url: string): string {
  const mark = url.indexOf('?')
  return mark < 0 ? url : url.slice(0, mark)
}
