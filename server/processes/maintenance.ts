import type { RequestListener } from 'node:http'
import { closeWebServer, createWebServer, listen } from '@saltfreak/backend'
import { extendStart } from '../service-manager.ts'
import type { Settings } from '../settings.ts'
import { unavailablePage } from '../unavailable-page.ts'
import type { Close } from './shop-start.ts'
import { shop } from '#shop'

const RETRY_AFTER_S = 30
const STOP_TIMEOUT_MS = 500

/** Answers requests with 503 while the database moves to a newer PostgreSQL, which may take minutes. `end` closes the port for the shop. */
export function createMaintenance(settings: Settings): {
  begin(this: void): Promise<void>
  end(this: void): Promise<void>
} {
  let opened: Promise<Close> | undefined
  return {
    begin: async () => void (await (opened ??= open(settings))),
    end: async () => (await opened)?.(),
  }
}

async function open(settings: Settings): Promise<Close> {
  const stopExtending = extendStart()
  const web = createWebServer(closedShop(), settings)
  await listen(web, settings)
  console.log(`${shop.name} opens once its database has moved to a newer PostgreSQL`)
  return async () => {
    stopExtending()
    await closeWebServer(web, STOP_TIMEOUT_MS)
  }
}

/** `/healthz` says that the process is alive, everything else that it is not ready. */
function closedShop(): RequestListener {
  const page = unavailablePage(RETRY_AFTER_S)
  const json = { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' }
  const retry = { 'Retry-After': String(RETRY_AFTER_S) }
  return (request, response) => {
    // The shop opens this port in a moment: no connection may stay.
    response.shouldKeepAlive = false
    const path = request.url?.split('?')[0]
    if (path === '/healthz') response.writeHead(200, json).end('{"status":"alive"}')
    else if (path === '/readyz') response.writeHead(503, { ...json, ...retry }).end('{"status":"starting"}')
    else if (request.headers.accept?.includes('text/html'))
      response.writeHead(503, page.headers).end(page.body)
    else {
      const body = { code: 'unavailable', message: 'The shop opens in a moment.' }
      response.writeHead(503, { ...json, ...retry }).end(JSON.stringify(body))
    }
  }
}
