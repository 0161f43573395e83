import { Hono } from 'hono'

import { limitBody } from '#backend/http/body.ts'
import type { Caller } from '#backend/http/caller.ts'
import { genuineRequest } from '#backend/http/genuine-request.ts'
import type { GatewayVariables } from '#backend/http/gateway.ts'

import { gatewayError } from './errors.ts'

/** A server function: a web-standard handler, given what it may use. */
export type FunctionHandler<Given> = (request: Request, given: Given) => Promise<Response>

export interface FunctionsToServe<Given> {
  functions: Record<string, FunctionHandler<Given>>
  /** What a call is given; made for each, because it names the caller. */
  given: (caller: Caller) => Given
  log: { error(fields: object, message: string): void }
  timeoutMs?: number
  /** Of a call without an account; the same as for everybody if left out. */
  anonymousBodyBytes?: number
  /** 1 MiB if left out. */
  maxBodyBytes?: number | undefined
}

const MAX_BODY_BYTES = 1024 * 1024
const MOUNTED_AT = /^\/functions\/v1(?=\/)/
/** As long as the hosted gateway waits. */
const TIMEOUT_MS = 150_000

/** Mounted at `/functions/v1`, behind the gateway that names the caller. */
export function createFunctions<Given>({
  functions,
  given,
  log,
  timeoutMs = TIMEOUT_MS,
  maxBodyBytes = MAX_BODY_BYTES,
  anonymousBodyBytes = maxBodyBytes,
}: FunctionsToServe<Given>): Hono<{ Variables: GatewayVariables }> {
  const app = new Hono<{ Variables: GatewayVariables }>()

  const limitAll = limitBody(maxBodyBytes, () => gatewayError('BODY_TOO_LARGE'))
  const limitAnonymous = limitBody(anonymousBodyBytes, () => gatewayError('BODY_TOO_LARGE'))
  app.use((c, next) => (c.get('caller').role === 'anon' ? limitAnonymous : limitAll)(c, next))
  // As with the hosted product, paths below a function are its own.
  app.all('/:name/*', async (c) => {
    const name = c.req.param('name')
    const handler = Object.hasOwn(functions, name) ? functions[name] : undefined
    if (!handler) return gatewayError('NOT_FOUND')
    const request = genuineRequest(c.req.raw, addressIn(c.req.url))
    return withinTime(handler(request, given(c.get('caller'))), timeoutMs)
  })
  app.all('*', () => gatewayError('NOT_FOUND'))
  app.onError((error, c) => {
    log.error({ err: error, function: c.req.path }, 'a function crashed')
    return gatewayError('WORKER_ERROR')
  })
  return app
}

/** What the function sees: its own name is the first part of the path. */
function addressIn(address: string): string {
  const url = new URL(address)
  url.pathname = url.pathname.replace(MOUNTED_AT, '')
  return url.href
}

async function withinTime(answer: Promise<Response>, timeoutMs: number): Promise<Response> {
  const { promise: timeout, resolve } = Promise.withResolvers<Response>()
  const timer = setTimeout(() => resolve(gatewayError('IDLE_TIMEOUT')), timeoutMs)
  try {
    return await Promise.race([answer, timeout])
  } finally {
    clearTimeout(timer)
  }
}
