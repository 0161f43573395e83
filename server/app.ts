import type { IncomingMessage, ServerResponse } from 'node:http'
import { createClient } from '@supabase/supabase-js'
import type { ShopDatabase } from '#database'
import { Hono } from 'hono'
import { compress } from 'hono/compress'
import { createRequestHandler, RouterContextProvider } from 'react-router'
import { type Backend, type EdgeVariables, type ListenerContext, logRequests } from '@saltfreak/backend'
import { type HealthWatch, watchHealth } from './alerts/watch-health.ts'
import { createApi, createServices } from './api.ts'
import { type CheckedParts, healthChecks } from './health/health-checks.ts'
import type { ShopParts } from './shop-parts.ts'
import { hasMailbox } from './has-mailbox.ts'
import { memoiseContext, pageContext, type PageSettings, supabaseContext } from './context.ts'
import { createTasks, type ShopTasks } from './tasks.ts'
import { type Metrics, createMetrics } from './metrics/create-metrics.ts'
import { mustShowAtOnce } from './pages/must-show-at-once.ts'
import { styleSheetsIn } from './pages/inline-critical-styles.ts'
import { FAILURE } from './pages/send-page.ts'
import { createPages } from './pages/serve-pages.ts'
import { refuseUnavailable } from './unavailable-page.ts'
import { limitPageBodies, addSecurityHeaders } from './security-headers.ts'

export interface Shop extends ShopTasks, Pick<Backend, 'serveSockets'>, Pick<Metrics, 'countRequest'> {
  fetch(request: Request, connection?: ListenerContext): Response | Promise<Response>
  healthWatch: HealthWatch
  /** Sends or refuses a page directly, past the router's middleware. Returns false, and sends nothing, for other requests. */
  sendPage(incoming: IncomingMessage, outgoing: ServerResponse): boolean
}

const readBuild = () => import('virtual:react-router/server-build')

/** Loads the build once outside development: given a function, React Router matches routes anew for every request. */
function createRenderer() {
  if (import.meta.env.DEV) return createRequestHandler(readBuild, import.meta.env.MODE)
  const renderer = readBuild().then((build) => createRequestHandler(build, import.meta.env.MODE))
  return async (request: Request, context: RouterContextProvider) => (await renderer)(request, context)
}

/** Alerts the owner of problems. One process of a machine does. */
export function createHealthWatch(parts: CheckedParts & Pick<ShopParts, 'log'>): HealthWatch {
  return watchHealth({ ...parts, checks: healthChecks(parts) })
}

/** Creates the whole shop: services at their paths, pages everywhere else. `clientFolder` has the build's files for browsers. */
export function createShop(parts: ShopParts, clientFolder: string): Shop {
  const { settings, keys, log, isCopy = false } = parts
  const backend = createServices(parts)
  const metrics = createMetrics(parts)
  const api = createApi(parts, backend, metrics)
  const renderPage = createRenderer()
  const pages = createPages({
    ...parts,
    styleSheets: styleSheetsIn(clientFolder),
    async render(request, nonce) {
      let page: Buffer | null = null
      const errors: unknown[] = []
      const takePage = (bytes: Buffer) => void (page = bytes)
      const noteError = (error: unknown) => void errors.push(error)
      const response = await renderPage(request, contextWith({ nonce, takePage, noteError }))
      return { response, page, errors }
    },
    callApi: (request) => api.fetch(request),
  })
  metrics.watchCaches(pages.cacheSizes)
  /** Calls the API in-process, as an anonymous visitor. */
  const visitor = createClient<ShopDatabase>(settings.publicUrl, keys.publishable, {
    accessToken: async () => null,
    // The client's retries would hold each page for seven seconds while the database is away.
    db: { retry: false },
    global: { fetch: pages.cachedFetch },
  })

  function contextWith(page: Pick<PageSettings, 'nonce' | 'takePage' | 'noteError'>): RouterContextProvider {
    const context = new RouterContextProvider()
    context.set(supabaseContext, visitor)
    context.set(memoiseContext, pages.memoise)
    context.set(pageContext, {
      publishableKey: keys.publishable,
      publicUrl: settings.publicUrl,
      isSimulated: settings.payfast.mode === 'simulator',
      givesOrdersAway: settings.givesOrdersAway,
      isCopy,
      hasMailbox: hasMailbox(settings),
      ...page,
    })
    return context
  }

  const shop = new Hono<{ Bindings: ListenerContext | undefined; Variables: EdgeVariables }>()
  shop.use(logRequests(log), addSecurityHeaders(settings), compress())
  shop.use(async (c, next) => {
    await next()
    if (mustShowAtOnce(c.req, c.res.status)) pages.noteWrite()
  })
  shop.route('/', api)
  shop.all('*', limitPageBodies, (c) =>
    // Vite's development client adds its own scripts and styles, which the security policy would block.
    import.meta.env.DEV ? renderPage(c.req.raw, contextWith({ nonce: '' })) : pages.respond(c.req.raw),
  )
  shop.onError(async (error, c) => {
    log.error({ err: error, id: c.get('requestId') }, 'a request failed')
    return refuseUnavailable(error, c.req.header('accept')) ?? c.text(FAILURE, 500)
  })
  return {
    fetch: (request, connection) => shop.fetch(request, connection),
    sendPage: (incoming, outgoing) => pages.send(incoming, outgoing),
    healthWatch: createHealthWatch(parts),
    countRequest: metrics.countRequest,
    serveSockets: backend.serveSockets,
    ...createTasks(parts, backend),
  }
}
