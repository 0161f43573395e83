import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Logger } from 'pino'
import { TextResponse } from '@saltfreak/backend'
import type { Memoise } from '../context.ts'
import { refusalFor, refuse } from '../overload.ts'
import { contentSecurityPolicy } from '../security-headers.ts'
import type { Settings } from '../settings.ts'
import { watchCatalogue, type InvalidationSource } from './catalogue-invalidation.ts'
import { createOutage, withOutdatedPages } from './outage.ts'
import { RenderedPage } from './rendered-page.ts'
import { PageCache } from './page-cache.ts'
import { cacheKeyOf } from './cache-key.ts'
import { cacheValues } from './cache-values.ts'
import { cacheApiReads } from './cache-api-reads.ts'
import { inlineCriticalStyles, type StyleSheets } from './inline-critical-styles.ts'
import { replaceNonceWithHashes } from './replace-nonce.ts'
import { createSender } from './send-page.ts'
import { createRenderQueue, QueueFullError } from './render-queue.ts'
import { prepareLaunches } from './prepare-launches.ts'

interface RenderResult {
  response: Response
  /** The body of a page; the response is then empty. Null for data, a sitemap and the like: their response has the body. */
  page: Buffer | null
  /** What loaders threw. */
  errors: unknown[]
}

/** Marks the page's inline scripts and styles with the nonce. */
type RenderPage = (request: Request, nonce: string) => Promise<RenderResult>

interface PageParts extends Omit<InvalidationSource, 'onInvalidate'> {
  settings: Settings
  styleSheets: StyleSheets
  render: RenderPage
  /** Calls the API as an anonymous visitor. */
  callApi: (request: Request) => Response | Promise<Response>
  log: Logger
}

export interface Pages {
  /** Responds to any request of React Router: pages, loader data, the sitemap, form submissions. */
  respond(request: Request): Promise<Response>
  /** Sends or refuses a page directly, past the router's middleware. Returns false, and sends nothing, for other requests. */
  send(incoming: IncomingMessage, outgoing: ServerResponse): boolean
  /** The pages' `fetch` for API reads, with a cache. */
  cachedFetch: typeof fetch
  memoise: Memoise
  cacheSizes(this: void): Record<'pages' | 'reads', { entries: number; bytes: number }>
  /** Call after a write of this process: cached pages may be stale. */
  noteWrite(): void
}

/** Matches addresses of pages: no file extension, and no path of a service. */
const PAGE =
  /^\/(?!\/|(?:assets|auth\/v1|dev|functions|healthz|mail|metrics|payments|readyz|realtime|rest|simulator|storage)(?:[/?]|$))[^.?]*(?:\?|$)/

const READ_METHODS = new Set<string | undefined>(['GET', 'HEAD'])

/** Enough for a few hundred products. */
const CACHE_BYTES = { pages: 24 * 1024 * 1024, reads: 8 * 1024 * 1024 }

export function createPages({ settings, styleSheets, render, callApi, ...source }: PageParts): Pages {
  const invalidation = watchCatalogue({
    ...source,
    onInvalidate() {
      for (const cache of [pages, reads]) cache.clear()
      onCatalogueChange()
    },
  })
  const pages = new PageCache<RenderedPage>(invalidation, CACHE_BYTES.pages)
  const reads = new PageCache(invalidation, CACHE_BYTES.reads)
  const queue = createRenderQueue()
  const sender = createSender(settings, source.log)
  const outage = createOutage()

  async function renderWhole(request: Request, use: 'cached' | 'single'): Promise<RenderedPage> {
    const nonce = randomBytes(16).toString('base64url')
    const { response, page, errors } = await outage.watch(() => render(request, nonce))
    for (const error of errors)
      source.log.error({ err: error, path: new URL(request.url).pathname }, 'a page failed')
    const body = page
      ? await inlineCriticalStyles(page, { nonce, styleSheets })
      : Buffer.from(await response.arrayBuffer())
    const { html, allowed } = replaceNonceWithHashes(body, nonce)
    const headers = {
      // Browsers store the page and revalidate it each time; an unchanged page is a 304 without a body.
      'cache-control': 'public, no-cache',
      // Requests the browser's effective connection type, which picks the size of pictures.
      'accept-ch': 'ECT',
      ...Object.fromEntries(response.headers),
      ...(page && { 'content-security-policy': contentSecurityPolicy(allowed, settings) }),
    }
    return new RenderedPage({ status: response.status, headers, use }, html)
  }

  function pageFor(request: Request): Promise<RenderedPage> {
    const { pathname, search } = new URL(request.url)
    const key = cacheKeyOf(request.method, pathname + search)
    if (!key) return queue.run(() => renderWhole(request, 'single'))
    // Rendered without the request's headers, so that a cached page contains nothing of the first visitor.
    const anonymousRequest = new Request(new URL(key, settings.publicUrl))
    return pages.getOrMake(key, () => queue.run(() => renderWhole(anonymousRequest, 'cached')))
  }

  const pageOrOutdated = withOutdatedPages(pageFor, { pages, outage })

  const onCatalogueChange = prepareLaunches(source, {
    origin: settings.publicUrl,
    callApi,
    renderPage: pageOrOutdated,
    noteWrite: () => invalidation.noteWrite(),
  })

  /** A page that is being rendered takes no further place in the queue. */
  function mustRefuse(key: string | null): boolean {
    return queue.isFull() && !(key && pages.isPending(key))
  }

  return {
    async respond(request) {
      try {
        return await responseOf(await pageOrOutdated(request), request)
      } catch (error) {
        if (!(error instanceof QueueFullError)) throw error
        const { body, ...init } = refusalFor(request.headers.get('accept'))
        return new TextResponse(body, init)
      }
    },
    send(incoming, outgoing) {
      const { method, url = '' } = incoming
      const exchange = sender.begin(incoming, outgoing)
      const key = cacheKeyOf(method, url)
      const page = key && pages.getCurrent(key)
      if (page && sender.sendCached(page, exchange)) return true
      if (!READ_METHODS.has(method) || !PAGE.test(url)) return false
      if (!page && mustRefuse(key)) return refuse(incoming, outgoing)
      void sender.sendWhenRendered(pageOrOutdated(new Request(settings.publicUrl + url)), exchange)
      return true
    },
    cachedFetch: cacheApiReads(reads, (request) => outage.noteResponse(callApi(request))),
    memoise: cacheValues(reads),
    cacheSizes: () => ({ pages: pages.size(), reads: reads.size() }),
    noteWrite: () => invalidation.noteWrite(),
  }
}

async function responseOf(page: RenderedPage, request: Request): Promise<Response> {
  if (page.status === 200 && page.matchesETag(request.headers.get('if-none-match'))) {
    return new Response(null, { status: 304, headers: page.notModifiedHeaders() })
  }
  const encoding = page.encodingFor(request.headers.get('accept-encoding'))
  const body = await page.body(encoding)
  const init = { status: page.status, headers: page.headersFor(encoding, body.byteLength) }
  const hasBody = request.method !== 'HEAD' && body.byteLength > 0
  return hasBody ? new TextResponse(body, init) : new Response(null, init)
}
