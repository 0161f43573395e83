import { Hono } from 'hono'

import { limitBody } from '#backend/http/body.ts'
import type { Caller } from '#backend/http/caller.ts'
import { toNodeRequest } from '#backend/http/node-request.ts'
import type { GatewayVariables } from '#backend/http/gateway.ts'

import { whyUnavailable } from '#backend/database/unavailable.ts'
import { functionUnavailable, gatewayError } from './errors.ts'
import type { Log } from '#backend/process/log.ts'

/** A server function: a web-standard handler, called with a context. */
export type FunctionHandler<Context> = (request: Request, context: Context) => Promise<Response>

export interface FunctionsToServe<Context> {
  functions: Record<string, FunctionHandler<Context>>
  /** Called for each request, because the context names the caller. */
  createContext: (caller: Caller) => Context
  log: Pick<Log, 'error'>
  timeoutMs?: number
  /** For calls without an account; default `maxBodyBytes`. */
  anonymousBodyBytes?: number
  /** Default 1 MiB. */
  maxBodyBytes?: number | undefined
}

const MAX_BODY_BYTES = 1024 * 1024
const MOUNTED_AT = /^\/functions\/v1(?=\/)/
/** The hosted gateway's timeout. */
const TIMEOUT_MS = 150_000

/** Serves `/functions/v1`, behind the gateway that sets `caller`. */
export function createFunctions<Context>({
  functions,
  createContext,
  log,
  timeoutMs = TIMEOUT_MS,
  maxBodyBytes = MAX_BODY_BYTES,
  anonymousBodyBytes = maxBodyBytes,
}: FunctionsToServe<Context>): Hono<{ Variables: GatewayVariables }> {
  const app = new Hono<{ Variables: GatewayVariables }>()

  const limitAll = limitBody(maxBodyBytes, () => gatewayError('BODY_TOO_LARGE'))
  const limitAnonymous = limitBody(anonymousBodyBytes, () => gatewayError('BODY_TOO_LARGE'))
  app.use((c, next) => (c.get('caller').role === 'anon' ? limitAnonymous : limitAll)(c, next))
  // As in the hosted product, a function handles all paths below its name.
  app.all('/:name/*', async (c) => {
    const name = c.req.param('name')
    const handler = Object.hasOwn(functions, name) ? functions[name] : undefined
    if (!handler) return gatewayError('NOT_FOUND')
    const request = toNodeRequest(c.req.raw, addressIn(c.req.url))
    return withinTime(handler(request, createContext(c.get('caller'))), timeoutMs)
  })
  app.all('*', () => gatewayError('NOT_FOUND'))
  app.onError((error, c) => {
    log.error({ err: error, function: c.req.path }, 'server function crashed')
    const why = whyUnavailable(error)
    return why ? functionUnavailable(why) : gatewayError('WORKER_ERROR')
  })
  return app
}

/** Removes `/functions/v1` from the path, as the hosted product does. */
function addressIn(address: string): string {
  const url = new URL(address)
  url.pathname = url.pathname.replace(MOUNTED_AT, '')
  return url.href
}

async function withinTime(response: Promise<Response>, timeoutMs: number): Promise<Response> {
  const { promise: timeout, resolve } = Promise.withResolvers<Response>()
  const timer = setTimeout(() => resolve(gatewayError('IDLE_TIMEOUT')), timeoutMs)
  try {
    return await Promise.race([response, timeout])
  } finally {
    clearTimeout(timer)
  }
}
