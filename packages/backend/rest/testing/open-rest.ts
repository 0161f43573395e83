import { readFile } from 'node:fs/promises'
import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import { Hono } from 'hono'

import type { Caller } from '#backend/http/caller.ts'
import type { EdgeVariables } from '#backend/http/edge.ts'
import { createGateway, type GatewayVariables } from '#backend/http/gateway.ts'
import { bareDatabase, type TestDatabase } from '#backend/testing/database.ts'
import { openTestTransport } from '#backend/testing/transport.ts'

import { createRest, type RestOptions } from '../create-rest.ts'

interface TestInit {
  method?: string
  headers?: Record<string, string>
  body?: string
  caller?: Partial<Caller>
  /** As the listener finds it. */
  remoteAddress?: string
}

export interface TestRest extends TestDatabase {
  /** `request('/films?select=id')`, as a visitor unless `caller` says otherwise. */
  request(path: string, init?: TestInit): Promise<Response>
  json(path: string, init?: TestInit): Promise<unknown>
  /** The official client behind the gateway; `token` is what `verify` below makes of it. */
  client(token?: string): SupabaseClient
  logged: object[]
}

const URL_OF_TESTS = 'http://films.test'
const KEYS = { publishable: 'sb_publishable_films', secret: 'sb_secret_films' }

/** `/rest/v1` over the films schema, in a database of its own. */
export async function openRest(options: Partial<RestOptions> = {}): Promise<TestRest> {
  const test = await bareDatabase()
  await test.database.owner.query(await readFile(new URL('films.sql', import.meta.url), 'utf8'))

  const logged: object[] = []
  const stop = new AbortController()
  const rest = createRest({
    database: test.database,
    log: { error: (fields) => logged.push(fields) },
    signal: stop.signal,
    ...options,
  })
  const behindGateway = new Hono()
    .use(
      createGateway({
        keys: KEYS,
        verifyToken: async (token) => JSON.parse(atob(token.split('.')[1] ?? '')),
      }),
    )
    .route('/rest/v1', rest)
  const transport = openTestTransport((incoming, connection) => behindGateway.fetch(incoming, connection))

  const request: TestRest['request'] = async (path, { caller, remoteAddress = null, ...init } = {}) => {
    const app = new Hono<{ Variables: GatewayVariables & Pick<EdgeVariables, 'remoteAddress'> }>()
    app.use(async (c, next) => {
      c.set('caller', { role: 'anon', claims: {}, userId: null, token: null, ...caller })
      c.set('remoteAddress', remoteAddress)
      await next()
    })
    app.route('/rest/v1', rest)
    const headers = { 'Content-Type': 'application/json', ...init.headers }
    return app.request(`${URL_OF_TESTS}/rest/v1${path}`, { ...init, headers })
  }

  return {
    ...test,
    logged,
    request,
    json: async (path, init) => (await request(path, init)).json(),
    client: (token) =>
      createClient(URL_OF_TESTS, KEYS.publishable, {
        auth: { persistSession: false, autoRefreshToken: false },
        ...(token && { accessToken: async () => token }),
        global: { fetch: transport.fetch },
      }),
    async close() {
      stop.abort()
      await transport.close()
      await test.close()
    },
  }
}

/** Returns a token that the test gateway accepts. */
export function tokenFor(sub: string): string {
  return ['e30', btoa(JSON.stringify({ sub, role: 'authenticated' })), 'x'].join('.')
}
