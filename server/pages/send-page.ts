import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Logger } from 'pino'
import { logRequest, requestIdOf, unredactedLog } from '@saltfreak/backend'
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
  /** Of the request, for the log. */
  id: string
}

/** Sends pages directly to the connection, past the router's middleware: adds the security headers and logs the request itself. */
export function createSender(settings: Settings, log: Logger) {
  const defaultHeaders = securityHeaders(settings)
  const plain = unredactedLog(log)

  function respond(
    { incoming, outgoing, start, id }: PageExchange,
    { status, fields, body }: PageResponse,
  ): void {
    outgoing.writeHead(status, fields)
    outgoing.end(incoming.method === 'HEAD' ? undefined : body)
    const { method, url = '' } = incoming
    logRequest(plain, { id, method, path: pathOf(url), status, start })
  }

  const fieldsOf = (headers: Record<string, string>) =>
    Object.entries({ ...defaultHeaders, ...headers }).flat()

  function notModified(page: RenderedPage): PageResponse {
    return { status: 304, fields: fieldsOf(page.notModifiedHeaders()) }
  }

  function fullPage(page: RenderedPage, encoding: Encoding, body: Buffer): PageResponse {
    const build = () => fieldsOf(page.headersFor(encoding, body.byteLength))
    return { status: page.status, fields: page.fieldsFor(encoding, build), body }
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
        const fields = fieldsOf({ 'content-type': 'text/plain; charset=utf-8' })
        respond(exchange, { status: 500, fields, body: Buffer.from(FAILURE) })
      }
    },
  }
}

interface PageResponse {
  status: number
  /** Names and values in turn, as Node sends them fastest. */
  fields: string[]
  body?: Buffer
}

function isNotModified(page: RenderedPage, { incoming }: PageExchange): boolean {
  return page.status === 200 && page.matchesETag(incoming.headers['if-none-match'])
}

function pathOf(url: string): string {
  const mark = url.indexOf('?')
  return mark < 0 ? url : url.slice(0, mark)
}
