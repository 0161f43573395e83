import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Logger } from 'pino'
import { logRequest, plainLog, requestIdOf } from '#backend/http/edge.ts'
import { refuse } from '../overload.ts'
import { protectiveHeaders } from '../protection.ts'
import type { Settings } from '../settings.ts'
import type { Encoding, FinishedPage } from './finished-page.ts'
import { TooManyWaiting } from './take-turns.ts'

/** What a visitor reads when something broke; why stands in the log. */
export const FAILURE = 'Something went wrong on our side. Please try again.'

export interface Asked {
  incoming: IncomingMessage
  outgoing: ServerResponse
  /** By `performance.now()`. */
  start: number
}

/** How pages leave: straight to the connection, with what every answer of the shop says and a line in the log. */
export function createSender(settings: Settings, log: Logger) {
  const everyAnswer = protectiveHeaders(settings)
  const plain = plainLog(log)

  function answer({ incoming, outgoing, start }: Asked, { status, headers, body }: Answer): void {
    outgoing.writeHead(status, { ...everyAnswer, ...headers })
    outgoing.end(incoming.method === 'HEAD' ? undefined : body)
    const { method, url = '', headers: asked } = incoming
    const id = requestIdOf(settings, asked)
    logRequest(plain, { id, method, path: pathOf(url), status, start })
  }

  return {
    /** False: the page is not at hand in the encoding that is asked for, and nothing was sent. */
    sendReady(page: FinishedPage, asked: Asked): boolean {
      const encoding = page.encodingFor(asked.incoming.headers['accept-encoding'])
      const body = page.ready(encoding)
      if (body) answer(asked, isKnown(page, asked) ? unchanged(page) : whole(page, encoding, body))
      return body !== undefined
    },
    /** Whatever comes of the making is sent: the page, a refusal, or that it failed. */
    async sendSoon(making: Promise<FinishedPage>, asked: Asked): Promise<void> {
      try {
        const page = await making
        if (isKnown(page, asked)) return answer(asked, unchanged(page))
        const encoding = page.encodingFor(asked.incoming.headers['accept-encoding'])
        answer(asked, whole(page, encoding, await page.body(encoding)))
      } catch (error) {
        if (error instanceof TooManyWaiting) return void refuse(asked.incoming, asked.outgoing)
        log.error({ err: error, path: pathOf(asked.incoming.url ?? '') }, 'a page could not be made')
        if (asked.outgoing.headersSent) return
        const headers = { 'content-type': 'text/plain; charset=utf-8' }
        answer(asked, { status: 500, headers, body: Buffer.from(FAILURE) })
      }
    },
  }
}

interface Answer {
  status: number
  headers: Record<string, string>
  body?: Buffer
}

const unchanged = (page: FinishedPage): Answer => ({ status: 304, headers: page.headersOfUnchanged() })

function whole(page: FinishedPage, encoding: Encoding, body: Buffer): Answer {
  return { status: page.status, headers: page.headersFor(encoding, body.byteLength), body }
}

function isKnown(page: FinishedPage, { incoming }: Asked): boolean {
  return page.status === 200 && page.isKnownTo(incoming.headers['if-none-match'])
}

function pathOf(url: string): string {
  const mark = url.indexOf('?')
  return mark < 0 ? url : url.slice(0, mark)
}
