import type { IncomingMessage, ServerResponse } from 'node:http'
import { createClient } from '@supabase/supabase-js'
import { Hono } from 'hono'
import { compress } from 'hono/compress'
import { createRequestHandler, RouterContextProvider } from 'react-router'
import { type Connection, type EdgeVariables, logRequests } from '#backend/http/edge.ts'
import { createApi, type ShopParts } from './api.ts'
import { hasMailbox } from './has-mailbox.ts'
import { pageContext, supabaseContext } from './context.ts'
import { createTasks, type ShopTasks } from './tasks.ts'
import { styleSheetsIn } from './pages/paint-first.ts'
import { createPages } from './pages/serve-pages.ts'
import { limitPageBodies, protectAnswers } from './protection.ts'

const READING = new Set(['GET', 'HEAD', 'OPTIONS'])

export interface Shop extends ShopTasks {
  fetch(request: Request, connection?: Connection): Response | Promise<Response>
  /** Sends a kept page without asking anybody. False: nothing was sent, `fetch` must answer. */
  answerAtOnce(incoming: IncomingMessage, outgoing: ServerResponse): boolean
}

/** The whole shop: services at their paths, pages everywhere else. The folder holds what the build made for browsers. */
export function createShop(parts: ShopParts, clientFolder: string): Shop {
  const { settings, keys, log } = parts
  const api = createApi(parts)
  const renderPage = createRequestHandler(
    () => import('virtual:react-router/server-build'),
    import.meta.env.MODE,
  )
  /** Pages reach the API as any visitor would, without leaving the process. */
  const visitor = createClient(settings.publicUrl, keys.publishable, {
    auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
    global: { fetch: async (input, init) => api.fetch(new Request(input, init)) },
  })

  function contextWith(nonce: string): RouterContextProvider {
    const context = new RouterContextProvider()
    context.set(supabaseContext, visitor)
    context.set(pageContext, {
      publishableKey: keys.publishable,
      publicUrl: settings.publicUrl,
      isSimulated: settings.payfast.mode === 'simulator',
      hasMailbox: hasMailbox(settings),
      nonce,
    })
    return context
  }

  const pages = createPages({
    ...parts,
    styleSheets: styleSheetsIn(clientFolder),
    render: (request, nonce) => renderPage(request, contextWith(nonce)),
  })
  const shop = new Hono<{ Bindings: Connection | undefined; Variables: EdgeVariables }>()
  shop.use(logRequests(log), protectAnswers(settings), compress())
  shop.use(async (c, next) => {
    await next()
    if (!READING.has(c.req.method)) pages.expectNews()
  })
  shop.route('/', api)
  shop.all('*', limitPageBodies, (c) =>
    // Vite's development client writes scripts and styles of its own into the page.
    import.meta.env.DEV ? renderPage(c.req.raw, contextWith('')) : pages.answer(c.req.raw),
  )
  shop.onError((error, c) => {
    log.error({ err: error, id: c.get('requestId') }, 'a request failed')
    return c.text('Something went wrong on our side. Please try again.', 500)
  })
  return {
    fetch: (request, connection) => shop.fetch(request, connection),
    answerAtOnce: (incoming, outgoing) => pages.answerAtOnce(incoming, outgoing),
    ...createTasks(parts),
  }
}
