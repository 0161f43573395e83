import { readdirSync } from 'node:fs'
import type { IncomingMessage, RequestListener, Server } from 'node:http'
import { join, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import { serveStatic } from '@hono/node-server/serve-static'
import { Hono, type MiddlewareHandler } from 'hono'
import { clientAddressOf, connectionOf, listenerFor, networkOf } from '@saltfreak/backend'
import { FONTS_PATH } from '#domain/brand.ts'
import type { ShopParts } from './shop-parts.ts'
import type { HealthWatch } from './alerts/watch-health.ts'
import type { createHealthWatch, Shop } from './app.ts'
import { shedLoad } from './overload.ts'
import { receiveBodies } from './receive-bodies.ts'

/** The exports of the built `server/app.ts`: pages, services and e-mails. */
interface ShopModule {
  createShop: (parts: ShopParts, clientFolder: string) => Shop
  createHealthWatch: typeof createHealthWatch
}

export interface LoadedShop {
  shop: Shop
  listener: RequestListener
  close(): Promise<void>
}

export async function loadBuiltShop(parts: ShopParts, projectFolder: string): Promise<LoadedShop> {
  const clientFolder = join(projectFolder, 'build/client')
  const { createShop } = await loadBuild(projectFolder)
  const shop = createShop(parts, clientFolder)
  const site = new Hono<{ Bindings: { incoming: IncomingMessage } }>()
  site.use(builtFiles(clientFolder))
  site.get(`${FONTS_PATH}/*`, fontFiles(projectFolder))
  site.all('*', (c) => shop.fetch(c.req.raw, connectionOf(c.env.incoming)))
  const limits = {
    networkOf({ headers, socket }: IncomingMessage) {
      const forwarded = headers['x-forwarded-for']?.toString()
      const address = clientAddressOf(parts.settings, { forwarded, socket: socket.remoteAddress })
      return address && networkOf(address)
    },
  }
  const handle = receiveBodies(shedLoad(listenerFor(site.fetch), limits), limits)
  return {
    shop,
    listener(request, response) {
      shop.countRequest(request, response)
      if (!shop.sendPage(request, response)) handle(request, response)
    },
    close: async () => {},
  }
}

/** Returns what alerts the owner of problems. */
export async function loadHealthWatch(
  parts: Parameters<typeof createHealthWatch>[0],
  projectFolder: string,
): Promise<HealthWatch> {
  const { createHealthWatch: create } = await loadBuild(projectFolder)
  return create(parts)
}

function loadBuild(projectFolder: string): Promise<ShopModule> {
  return import(pathToFileURL(join(projectFolder, 'build/server/index.js')).href)
}

/** Serves the build's files for browsers. Reads their names once, so that requests for pages do not access the disk. */
function builtFiles(folder: string): MiddlewareHandler {
  const names = new Set(
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => `/${name.replaceAll(sep, '/')}`),
  )
  const serve = serveStatic({ root: folder, precompressed: true })
  return async (c, next) => {
    if (!names.has(c.req.path)) return next()
    let isBuilt = true
    const response = await serve(c, () => {
      isBuilt = false
      return next()
    })
    if (!response || !isBuilt) return response
    response.headers.set('Cache-Control', cacheControlOf(c.req.path))
    response.headers.set('X-Content-Type-Options', 'nosniff')
    response.headers.set('Cross-Origin-Resource-Policy', resourcePolicyOf(c.req.path))
    // Hashed files never change, so browsers need not revalidate them.
    if (isHashed(c.req.path)) response.headers.delete('Last-Modified')
    return response
  }
}

/** Serves fonts at stable addresses for pages outside the build: the payment simulator and the pages that e-mails link to. */
function fontFiles(projectFolder: string): MiddlewareHandler {
  const serve = serveStatic({ root: join(projectFolder, 'assets') })
  return async (c, next) => {
    if (!c.req.path.endsWith('.woff2')) return next()
    let isFound = true
    const response = await serve(c, () => {
      isFound = false
      return next()
    })
    if (!response || !isFound) return response
    response.headers.set('Cache-Control', cacheControlOf(c.req.path))
    response.headers.set('Cross-Origin-Resource-Policy', 'same-origin')
    return response
  }
}

/** Names in assets/ contain a hash of the content. */
const isHashed = (path: string) => path.startsWith('/assets/')

function cacheControlOf(path: string): string {
  if (isHashed(path)) return 'public, max-age=31536000, immutable'
  // Browsers must find a new service worker at the next visit, or a broken one could not be replaced.
  return path === '/service-worker.js' ? 'no-cache' : 'public, max-age=3600'
}

/** E-mails and link previews embed pictures; scripts, styles and fonts are for the shop's own pages only. */
function resourcePolicyOf(path: string): string {
  return /\.(avif|ico|jpe?g|png|svg|webp)$/.test(path) ? 'cross-origin' : 'same-origin'
}

/** For development: Vite serves the browser's files and reloads changed modules; each request uses the newest shop. */
export async function loadLiveShop(parts: ShopParts, webServer: Server): Promise<LoadedShop> {
  const { createServer } = await import('vite')
  const vite = await preserveSigtermListeners(() =>
    createServer({ server: { middlewareMode: true, hmr: { server: webServer } }, appType: 'custom' }),
  )
  let loaded: ShopModule['createShop'] | undefined
  let shop: Shop | undefined

  async function newestShop(): Promise<Shop> {
    const { createShop } = await vite.ssrLoadModule('./server/app.ts')
    const newest: ShopModule['createShop'] = createShop
    if (!shop || newest !== loaded) shop = newest(parts, '')
    loaded = newest
    return shop
  }

  const handle = listenerFor(async (request, { incoming }) =>
    (await newestShop()).fetch(request, connectionOf(incoming)),
  )
  return {
    shop: await newestShop(),
    listener: (request, response) => {
      // Vite serves the project folder, where the fonts are in assets/.
      if (request.url?.startsWith(`${FONTS_PATH}/`)) request.url = `/assets${request.url}`
      vite.middlewares(request, response, () => {
        handle(request, response)
      })
    },
    close: () => vite.close(),
  }
}

/** React Router starts a second Vite, which exits the process on SIGTERM before the database is closed. */
async function preserveSigtermListeners<T>(work: () => Promise<T>): Promise<T> {
  const ours = process.listeners('SIGTERM')
  const result = await work()
  for (const listener of process.listeners('SIGTERM')) {
    if (!ours.includes(listener)) process.off('SIGTERM', listener)
  }
  return result
}
