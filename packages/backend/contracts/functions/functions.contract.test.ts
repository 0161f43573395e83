import { createClient, FunctionsHttpError, FunctionsRelayError } from '@supabase/supabase-js'
import { Hono } from 'hono'
import { afterAll, describe, expect, it } from 'vitest'

import { visitor } from '#backend/http/caller.ts'
import type { GatewayVariables } from '#backend/http/gateway.ts'
import { openTestTransport } from '#backend/testing/transport.ts'

import { createFunctions } from '#backend/functions/create-functions.ts'

const crashes: object[] = []
const api = new Hono<{ Variables: GatewayVariables }>()
api.use(async (c, next) => {
  c.set('caller', visitor)
  await next()
})
api.route(
  '/functions/v1',
  createFunctions({
    functions: {
      greet: async (request, context) => {
        const { name } = await request.json()
        return Response.json({ greeting: `${context.greeting}, ${name}` })
      },
      locate: async (request) => Response.json({ url: request.url, body: await request.text() }),
      refuse: async () => Response.json({ code: 'no', message: 'No.' }, { status: 409 }),
      crash: () => Promise.reject(new Error('secret detail')),
      query: () => Promise.reject(Object.assign(new Error('no database'), { code: 'ECONNREFUSED' })),
      hang: () => new Promise<Response>(() => {}),
    },
    createContext: () => ({ greeting: 'Howzit' }),
    log: { error: (fields) => crashes.push(fields) },
    timeoutMs: 20,
  }),
)
const transport = openTestTransport((request) => api.fetch(request))
afterAll(() => transport.close())
const client = createClient('http://shop.test', 'sb_publishable_test', { global: { fetch: transport.fetch } })

describe('server functions called by the official client', () => {
  it('passes a request’s body to a server function and returns the function’s response', async () => {
    const { data, error } = await client.functions.invoke('greet', { body: { name: 'Sipho' } })

    expect(error).toBeNull()
    expect(data).toEqual({ greeting: 'Howzit, Sipho' })
  })

  it('returns a server function’s error to the caller', async () => {
    const { error } = await client.functions.invoke('refuse', { body: {} })

    expect(error).toBeInstanceOf(FunctionsHttpError)
    expect(await error.context.json()).toEqual({ code: 'no', message: 'No.' })
  })

  it('logs the crash of a server function without revealing the error to the caller', async () => {
    const { error } = await client.functions.invoke('crash', { body: {} })

    expect(error.context.status).toBe(500)
    const answer = await error.context.text()
    expect(JSON.parse(answer)).toMatchObject({ code: 'WORKER_ERROR' })
    expect(answer).not.toContain('secret')
    expect(crashes.splice(0)).toHaveLength(1)
  })

  it('says when to call a server function again whose database is unreachable', async () => {
    const { error } = await client.functions.invoke('query', { body: {} })

    expect(error.context.status).toBe(503)
    expect(error.context.headers.get('Retry-After')).toBe('10')
    expect(crashes.splice(0)).toMatchObject([{ function: '/functions/v1/query' }])
  })

  it('returns the gateway’s error when a server function times out', async () => {
    const { error } = await client.functions.invoke('hang', { body: {} })

    expect(error).toBeInstanceOf(FunctionsRelayError)
    expect(error.context.status).toBe(504)
  })

  it.each(['nothing', 'constructor', '__proto__'])(
    'returns 404 for an unknown server function named %s',
    async (name) => {
      const { error } = await client.functions.invoke(name, { body: {} })

      expect(error).toBeInstanceOf(FunctionsHttpError)
      expect(error.context.status).toBe(404)
      expect(await error.context.json()).toEqual({
        code: 'NOT_FOUND',
        message: 'Requested function was not found',
      })
    },
  )
})

describe('paths below a function', () => {
  it.each([
    ['/functions/v1/locate', 'http://shop.test/locate'],
    ['/functions/v1/locate/a%20b/c?d=e%2Ff', 'http://shop.test/locate/a%20b/c?d=e%2Ff'],
    ['/functions/v1/locate/', 'http://shop.test/locate/'],
  ])('passes a request path from the function’s name on: %s', async (path, url) => {
    const answer = await api.request(`http://shop.test${path}`, { method: 'POST', body: 'tide' })

    expect(await answer.json()).toEqual({ url, body: 'tide' })
  })

  it('returns 404 for paths below an unknown function', async () => {
    expect((await api.request('/functions/v1/nothing/at/all')).status).toBe(404)
    expect((await api.request('/functions/v1/')).status).toBe(404)
  })
})

describe('the functions gateway', () => {
  it('limits bodies of function calls to the configured size', async () => {
    const small = new Hono<{ Variables: GatewayVariables }>()
    small.use(async (c, next) => {
      c.set('caller', visitor)
      await next()
    })
    const limited = createFunctions({
      functions: { count: async (request) => Response.json((await request.text()).length) },
      createContext: () => ({}),
      log: { error: () => {} },
      maxBodyBytes: 10,
    })
    small.route('/', limited)

    expect((await small.request('/count', { method: 'POST', body: 'x'.repeat(10) })).status).toBe(200)
    expect((await small.request('/count', { method: 'POST', body: 'x'.repeat(11) })).status).toBe(413)
  })

  it('lets visitors send functions smaller bodies than customers', async () => {
    const app = new Hono<{ Variables: GatewayVariables }>()
    app.use(async (c, next) => {
      const isVisitor = c.req.header('authorization') === undefined
      c.set('caller', isVisitor ? visitor : { ...visitor, role: 'authenticated' })
      await next()
    })
    const functions = { count: async (request: Request) => Response.json((await request.text()).length) }
    const log = { error: () => {} }
    app.route(
      '/',
      createFunctions({
        functions,
        createContext: () => ({}),
        log,
        maxBodyBytes: 20,
        anonymousBodyBytes: 10,
      }),
    )

    const post = async (headers: Record<string, string>) =>
      (await app.request('/count', { method: 'POST', body: 'x'.repeat(11), headers })).status

    expect([await post({}), await post({ authorization: 'Bearer x' })]).toEqual([413, 200])
  })

  it('refuses a function call with several megabytes by default', async () => {
    const answer = await api.request('/functions/v1/greet', { method: 'POST', body: 'x'.repeat(3_000_000) })

    expect(answer.status).toBe(413)
    expect(await answer.json()).toMatchObject({ code: 'BODY_TOO_LARGE' })
  })
})
