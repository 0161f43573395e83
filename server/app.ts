import type { IncomingMessage, ServerResponse } from 'node:http'
import { createClient } from '@supabase/supabase-js'
import type { ShopDatabase } from '#database'
import { Hono } from 'hono'
import { compress } from 'hono/compress'
import { createRequestHandler, RouterContextProvider } from 'react-router'
import { type Connection, type EdgeVariables, logRequests } from '#backend/http/edge.ts'
import { createApi, type ShopParts } from './api.ts'
import { hasMailbox } from './has-mailbox.ts'
import { keepContext, pageContext, type PageSettings, supabaseContext } from './context.ts'
import { createTasks, type ShopTasks } from './tasks.ts'
import { styleSheetsIn } from './pages/paint-first.ts'
import { FAILURE } from './pages/send-page.ts'
import { createPages } from './pages/serve-pages.ts'
import { limitPageBodies, protectAnswers } from './protection.ts'

const READING = new Set(['GET', 'HEAD', 'OPTIONS'])

export interface Shop extends ShopTasks {
  fetch(request: Request, connection?: Connection): Response | Promise<Response>
  /** Sends a page, or refuses one, past all that only services need. False: nothing was sent, `fetch` must answer. */
  sendPage(incoming: IncomingMessage, outgoing: ServerResponse): boolean
}

const readBuild = () => import('virtual:react-router/server-build')

/** Outside development the routes are worked out once: given a function, React Router does it anew for every page. */
function createRenderer() {
  if (import.meta.env.DEV) return createRequestHandler(readBuild, import.meta.env.MODE)
  const renderer = readBuild().then((build) => createRequestHandler(build, import.meta.env.MODE))
  return async (request: Request, context: RouterContextProvider) => (await renderer)(request, context)
}

/** The whole shop: services at their paths, pages everywhere else. The folder holds what the build made for browsers. */
export function createShop(parts: ShopParts, clientFolder: string): Shop {
  const { settings, keys, log } = parts
  const api = createApi(parts)
  const renderPage = createRenderer()
  const pages = createPages({
    ...parts,
    styleSheets: styleSheetsIn(clientFolder),
    async render(request, nonce) {
      let page: Buffer | null = null
      const takePage = (bytes: Buffer) => void (page = bytes)
      const answer = await renderPage(request, contextWith({ nonce, takePage }))
      return { answer, page }
    },
    ask: (request) => api.fetch(request),
  })
  /** Pages reach the API as any visitor would, without leaving the process. There is no session to look for. */
  const visitor = createClient<ShopDatabase>(settings.publicUrl, keys.publishable, {
    accessToken: async () => null,
    global: { fetch: pages.read },
  })

  function contextWith(page: Pick<PageSettings, 'nonce' | 'takePage'>): RouterContextProvider {
    const context = new RouterContextProvider()
    context.set(supabaseContext, visitor)
    context.set(keepContext, pages.keep)
    context.set(pageContext, {
      publishableKey: keys.publishable,
      publicUrl: settings.publicUrl,
      isSimulated: settings.payfast.mode === 'simulator',
      givesOrdersAway: settings.givesOrdersAway,
      hasMailbox: hasMailbox(settings),
      ...page,
    })
    return context
  }

  const shop = new Hono<{ Bindings: Connection | undefined; Variables: EdgeVariables }>()
  shop.use(logRequests(log), protectAnswers(settings), compress())
  shop.use(async (c, next) => {
    await next()
    if (!READING.has(c.req.method)) pages.expectNews()
  })
  shop.route('/', api)
  shop.all('*', limitPageBodies, (c) =>
    // Vite's development client writes scripts and styles of its own into the page.
    import.meta.env.DEV ? renderPage(c.req.raw, contextWith({ nonce: '' })) : pages.answer(c.req.raw),
  )
  shop.onError((error, c) => {
    log.error({ err: error, id: c.get('requestId') }, 'a request failed')
    return c.text(FAILURE, 500)
  })
  return {
    fetch: (request, connection) => shop.fetch(request, connection),
    sendPage: (incoming, outgoing) => pages.send(incoming, outgoing),
    ...createTasks(parts),
  }
}
