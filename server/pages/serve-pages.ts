import { randomBytes, randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Logger } from 'pino'
import { logRequest } from '#backend/http/edge.ts'
import { pagePolicy, protectiveHeaders } from '../protection.ts'
import type { Settings } from '../settings.ts'
import { followCatalogue, type NewsSource } from './catalogue-news.ts'
import { bestEncoding, FinishedPage } from './finished-page.ts'
import { keptAddress } from './page-address.ts'
import { PageCache } from './page-cache.ts'
import { paintFirst, type StyleSheets } from './paint-first.ts'
import { sealPage } from './seal-page.ts'

/** Renders a page for a visitor of whom nothing is known; the nonce goes onto its inline scripts. */
type RenderPage = (request: Request, nonce: string) => Promise<Response>

interface PageParts extends Omit<NewsSource, 'onNews'> {
  settings: Settings
  styleSheets: StyleSheets
  render: RenderPage
  log: Logger
}

export interface Pages {
  /** Any page, kept or rendered now. */
  answer(request: Request): Promise<Response>
  /** Sends a page that is kept and current, past everything else. False: it is not, and nothing was sent. */
  answerAtOnce(incoming: IncomingMessage, outgoing: ServerResponse): boolean
  /** Something was written by this process; pages that show it may not be sent again. */
  expectNews(): void
}

export function createPages({ settings, styleSheets, render, ...source }: PageParts): Pages {
  const news = followCatalogue({ ...source, onNews: () => cache.forgetAll() })
  const cache = new PageCache(news)
  const everyAnswer = protectiveHeaders(settings)

  async function finish(request: Request): Promise<FinishedPage> {
    const nonce = randomBytes(16).toString('base64url')
    const rendered = await render(request, nonce)
    const isPage = rendered.headers.get('content-type')?.startsWith('text/html')
    const text = await rendered.text()
    const { html, allowed } = sealPage(isPage ? await paintFirst(text, { nonce, styleSheets }) : text, nonce)
    const headers = {
      // Kept by browsers, but asked after each time: the answer is a 304 without a body.
      'cache-control': 'public, no-cache',
      // Asks the browser to say how fast the connection is; pictures follow.
      'accept-ch': 'ECT',
      ...Object.fromEntries(rendered.headers),
      ...(isPage && { 'content-security-policy': pagePolicy(allowed, settings) }),
    }
    return new FinishedPage(rendered.status, headers, html)
  }

  return {
    async answer(request) {
      const { pathname, search } = new URL(request.url)
      const address = keptAddress(request.method, pathname + search)
      // Made from the address alone, so that nothing of who asks first can be in what all get.
      const page = address
        ? await cache.find(address, () => finish(new Request(new URL(address, settings.publicUrl))))
        : await finish(request)
      return responseOf(page, request)
    },
    answerAtOnce(incoming, outgoing) {
      const { method, url = '', headers } = incoming
      const address = keptAddress(method, url)
      const page = address && cache.atHand(address)
      if (!page) return false
      const encoding = bestEncoding(headers['accept-encoding'])
      const body = page.ready(encoding)
      if (!body) return false

      const start = performance.now()
      const isKnown = page.isKnownTo(headers['if-none-match'])
      const status = isKnown ? 304 : 200
      const own = isKnown ? page.headersOfUnchanged() : page.headersFor(encoding, body.byteLength)
      outgoing.writeHead(status, { ...everyAnswer, ...own })
      outgoing.end(isKnown || method === 'HEAD' ? undefined : body)
      logRequest(source.log, { id: randomUUID(), method, path: pathOf(url), status, start })
      return true
    },
    expectNews: () => news.expectNews(),
  }
}

async function responseOf(page: FinishedPage, request: Request): Promise<Response> {
  if (page.status === 200 && page.isKnownTo(request.headers.get('if-none-match'))) {
    return new Response(null, { status: 304, headers: page.headersOfUnchanged() })
  }
  const encoding = bestEncoding(request.headers.get('accept-encoding'))
  const body = await page.body(encoding)
  const hasBody = request.method !== 'HEAD' && body.byteLength > 0
  return new Response(hasBody ? new Uint8Array(body) : null, {
    status: page.status,
    headers: page.headersFor(encoding, body.byteLength),
  })
}

function pathOf(url: string): string {
  const mark = url.indexOf('?')
  return mark < 0 ? url : url.slice(0, mark)
}
