import { Hono, type Context } from 'hono'
import { bodyLimit } from 'hono/body-limit'

import { gatewayError } from './errors.ts'

/** A server function: a web-standard handler, given what it may use. */
export type FunctionHandler<Given> = (request: Request, given: Given) => Promise<Response>

export interface FunctionsToServe<Given> {
  functions: Record<string, FunctionHandler<Given>>
  /** What a call is given; made for each, because it names the caller. */
  given: (context: Context) => Given
  log: { error(fields: object, message: string): void }
  timeoutMs?: number
}

const BODY_LIMIT_BYTES = 1024 * 1024
/** As long as the hosted gateway waits. */
const TIMEOUT_MS = 150_000

/** `/functions/v1/:name`, mounted at that path. */
export function createFunctions<Given>({ functions, given, log, ...options }: FunctionsToServe<Given>): Hono {
  const { timeoutMs = TIMEOUT_MS } = options
  const app = new Hono()

  app.use(async (c, next) => {
    await next()
    c.res.headers.set('Access-Control-Allow-Origin', '*')
  })
  app.options('/:name', (c) =>
    c.body(null, 204, {
      'Access-Control-Allow-Methods': 'GET, POST, PUT, PATCH, DELETE, OPTIONS',
      'Access-Control-Allow-Headers':
        c.req.header('Access-Control-Request-Headers') ??
        'authorization, x-client-info, apikey, content-type, x-region',
      'Access-Control-Max-Age': '86400',
    }),
  )
  app.use(bodyLimit({ maxSize: BODY_LIMIT_BYTES, onError: () => gatewayError('BODY_TOO_LARGE') }))
  app.all('/:name', async (c) => {
    const name = c.req.param('name')
    const handler = Object.hasOwn(functions, name) ? functions[name] : undefined
    if (!handler) return gatewayError('NOT_FOUND')
    return withinTime(handler(c.req.raw, given(c)), timeoutMs)
  })
  app.notFound(() => gatewayError('NOT_FOUND'))
  app.onError((error, c) => {
    log.error({ err: error, function: c.req.path }, 'a function crashed')
    return gatewayError('WORKER_ERROR')
  })
  return app
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
