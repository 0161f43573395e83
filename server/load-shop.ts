import type { IncomingMessage, RequestListener, Server } from 'node:http'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { clientAddressOf, connectionOf, listenerFor, siteOf } from '@saltfreak/backend'
import { FONTS_PATH } from '#domain/brand.ts'
import type { ShopParts } from './shop-parts.ts'
import type { HealthWatch } from './alerts/watch-health.ts'
import type { createHealthWatch, Shop } from './app.ts'
import { serveBuiltFiles } from './built-files.ts'
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
  const { createShop } = await loadBuild(projectFolder)
  const shop = createShop(parts, join(projectFolder, 'build/client'))
  const sendFile = serveBuiltFiles(projectFolder)
  const limits = { networkOf: (request: IncomingMessage) => callerSiteOf(parts.settings, request) }
  const listener = listenerFor((request, { incoming }) => shop.fetch(request, connectionOf(incoming)))
  const handle = receiveBodies(shedLoad(listener, limits), limits)
  return {
    shop,
    listener(request, response) {
      shop.countRequest(request, response)
      if (!shop.sendPage(request, response) && !sendFile(request, response)) handle(request, response)
    },
    close: async () => {},
  }
}

/** Returns whose share of running calls and received bodies a request takes. With one for each /64, one customer could have several. */
export function callerSiteOf(
  settings: Parameters<typeof clientAddressOf>[0],
  { headers, socket }: Pick<IncomingMessage, 'headers'> & { socket: { remoteAddress?: string } },
): string | null {
  const forwarded = headers['x-forwarded-for']?.toString()
  const address = clientAddressOf(settings, { forwarded, socket: socket.remoteAddress })
  return address && siteOf(address)
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
