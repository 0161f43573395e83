import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import {
  closeWebServer,
  createWebServer,
  limitConnections,
  listen,
  requireOpenFiles,
  startJobs,
  type Store,
} from '@saltfreak/backend'
import { loadBuiltShop, loadLiveShop, type LoadedShop } from '../load-shop.ts'
import type { ShopParts } from '../shop-parts.ts'
import type { Close, ShopStart } from './shop-start.ts'

/** How long a shutdown waits for requests in flight. */
const STOP_TIMEOUT_MS = 3000

/** What a worker answers: it serves no shop. */
const HEALTH = /^\/(?:healthz|readyz|metrics)(?:\?|$)/

interface Opening {
  /** Runs before the port opens. */
  prepare(): Promise<void>
  /** Runs once the port is open. */
  announce(): Promise<void>
  /** Whether this process alerts the owner of problems. */
  watchesHealth: boolean
}

/** Serves requests and runs jobs in this process, as far as its role has them. */
export async function serveShop(start: ShopStart, store: Store, opening: Opening): Promise<Close> {
  const { settings, files, log, isCopy, stopping } = start
  const { database, keys, closing } = store
  const parts: ShopParts = { settings, database, files, log, keys, closing, isCopy, stopping }
  const site: { current: RequestListener | null } = { current: null }
  const web = createWebServer(
    (request, response) => answer(site.current, { request, response, stopping }),
    settings,
  )
  limitConnections(web, { openFiles: await requireOpenFiles(), log })
  const loaded = start.isDevelopment
    ? await loadLiveShop(parts, web)
    : await loadBuiltShop(parts, start.projectFolder)
  const work = await startWork(parts, { loaded, watchesHealth: opening.watchesHealth })
  try {
    await opening.prepare()
    site.current = settings.role === 'worker' ? healthOnly(loaded) : loaded.listener
    const sockets = settings.role === 'worker' ? null : loaded.shop.serveSockets(web)
    await listen(web, settings)
    await opening.announce()
    return async () => {
      // A proxy learns from /readyz to send no more requests, and sockets reconnect elsewhere, before the port closes.
      await Promise.all([pause(settings.stopDelayMs), sockets?.close(), work.stop()])
      await closeWebServer(web, STOP_TIMEOUT_MS)
      await loaded.close()
      await store.stop()
    }
  } catch (error) {
    // Running jobs hold connections, and the database could not close.
    await work.stop()
    throw error
  }
}

interface Work {
  loaded: LoadedShop
  watchesHealth: boolean
}

async function startWork(parts: ShopParts, { loaded, watchesHealth }: Work): Promise<{ stop: Close }> {
  const { settings, database, log, isCopy } = parts
  // The jobs of a copy belong to the shop that it was copied from: mails, refunds, expiries.
  if (isCopy || settings.role === 'web') return { stop: async () => {} }
  const { tasks, crontab, healthWatch } = loaded.shop
  const jobs = await startJobs({ pool: database.owner, log, tasks, crontab })
  const watch = watchesHealth ? healthWatch.start() : null
  return { stop: async () => void (await Promise.all([jobs.stop(), watch?.stop()])) }
}

function healthOnly({ listener }: LoadedShop): RequestListener {
  return (request, response) => {
    if (HEALTH.test(request.url ?? '')) return listener(request, response)
    response.writeHead(404, { 'content-type': 'text/plain' }).end('This process only runs jobs.')
  }
}

interface Exchange {
  request: IncomingMessage
  response: ServerResponse
  stopping: AbortSignal
}

function answer(listener: RequestListener | null, { request, response, stopping }: Exchange): void {
  // Moves clients with open connections to another process.
  if (stopping.aborted) response.shouldKeepAlive = false
  listener?.(request, response)
}
