import type { Hono, MiddlewareHandler } from 'hono'

import { createAuth, type AuthOptions } from './auth/create-auth.ts'
import type { ClientKeys } from './auth/keys/client-keys.ts'
import { createTokenVerifier } from './auth/keys/token-verifier.ts'
import { requireLiveSession } from './auth/sessions/live-session.ts'
import type { DatabasePools } from './database/pool.ts'
import { createFunctions, type FunctionsToServe } from './functions/create-functions.ts'
import { gatewayError } from './functions/errors.ts'
import { type Concurrency, limitConcurrency } from './http/concurrency.ts'
import { allowOrigins } from './http/cors.ts'
import type { ListenerContext, EdgeVariables } from './http/edge.ts'
import { createGateway, type GatewayVariables } from './http/gateway.ts'
import { requireKey } from './http/require-key.ts'
import { createRealtimeApi, type RealtimeApiOptions } from './realtime/create-realtime-api.ts'
import { type Preamble, createRest, type RestOptions } from './rest/create-rest.ts'
import { createStorage, type StorageOptions } from './storage/create-storage.ts'

/** The app that the services are mounted on; requires the middleware `assignRequestId` and `findRemoteAddress`. */
export type Api = Hono<{ Bindings: ListenerContext | undefined; Variables: EdgeVariables }>

export interface BackendParts<Context> {
  database: DatabasePools
  keys: ClientKeys
  /** Origin for browsers, without a trailing slash. */
  publicUrl: string
  dataDir: string
  log: { error(fields: object, message: string): void }
  /** Aborted before the database closes. */
  closing?: AbortSignal
  /** Also accepts keys and tokens that were signed with the legacy shared secret (HS256). */
  legacySecret?: string
  /** Treats a request without a key as a visitor's instead of refusing it. */
  isKeyOptional?: boolean
  auth: Pick<AuthOptions, 'settings' | 'sendMail' | 'sendText'>
  rest?: Omit<RestOptions, 'database' | 'log' | 'signal'>
  storage?: Pick<
    StorageOptions,
    'maxFileBytes' | 'unfinished' | 'pictures' | 'mayMakePicture' | 'guardFinish'
  >
  /** Limits concurrent requests to the data service per caller; unlimited by default. */
  concurrency?: Concurrency
  realtime?: Pick<RealtimeApiOptions, 'isBroadcastEnabled'>
  functions: Pick<
    FunctionsToServe<Context>,
    'functions' | 'createContext' | 'timeoutMs' | 'anonymousBodyBytes' | 'maxBodyBytes'
  >
  /** Middleware of the data service at `/rest/v1/:table`; runs after the gateway has identified the caller. */
  guardData?: MiddlewareHandler<{ Variables: EdgeVariables & GatewayVariables & Preamble }, '/:table'>
  /** Middleware for calls of database functions (`/rest/v1/rpc/:name`) and server functions (`/functions/v1/:name`). */
  guardCalls?: {
    rpc: MiddlewareHandler<{ Variables: EdgeVariables & GatewayVariables & Preamble }, '/:name'>
    functions: MiddlewareHandler<{ Variables: EdgeVariables & GatewayVariables }, '/:name'>
  }
}

/** Paths of the auth service for mailed links and other servers, which send no API key. */
const WITHOUT_KEY = ['/verify', '/confirm', '/.well-known/jwks.json', '/health']

/** Mounts the services at their paths; CORS allows every origin, as the official client expects. */
export function mountBackend<Context>(api: Api, parts: BackendParts<Context>): void {
  const { database, keys, publicUrl, dataDir, log, closing, legacySecret, isKeyOptional } = parts
  const verifyToken = createTokenVerifier(database.owner)
  const verifyLiveToken = requireLiveSession(verifyToken, database.owner)
  const known = { keys, verifyToken: verifyLiveToken, legacySecret, isKeyOptional }
  const gateway = createGateway(known)

  for (const service of ['auth', 'rest', 'storage', 'functions', 'realtime'])
    api.use(`/${service}/v1/*`, allowOrigins({ ownOptions: '/storage/v1/upload/resumable' }))
  if (!isKeyOptional) api.use('/auth/v1/*', requireKey({ keys, legacySecret, open: WITHOUT_KEY }))
  api.route(
    '/auth/v1',
    createAuth({ database, keys, publicUrl, verifyToken, legacySecret, log, ...parts.auth }),
  )
  api.use('/rest/v1/*', gateway)
  if (parts.concurrency) api.use('/rest/v1/*', limitConcurrency(parts.concurrency))
  if (parts.guardData) api.use('/rest/v1/:table', parts.guardData)
  if (parts.guardCalls) api.use('/rest/v1/rpc/:name', parts.guardCalls.rpc)
  api.route('/rest/v1', createRest({ database, log, signal: closing, ...parts.rest }))
  api.route(
    '/storage/v1',
    createStorage({
      database,
      dataDir,
      keys,
      verifyToken: verifyLiveToken,
      legacySecret,
      log,
      ...parts.storage,
    }),
  )
  api.use(
    '/functions/v1/*',
    createGateway({ ...known, refuseToken: () => gatewayError('UNAUTHORIZED_INVALID_JWT') }),
  )
  if (parts.guardCalls) api.use('/functions/v1/:name/*', parts.guardCalls.functions)
  api.route('/functions/v1', createFunctions({ log, ...parts.functions }))
  api.use('/realtime/v1/*', gateway)
  api.route('/realtime/v1', createRealtimeApi({ database, ...parts.realtime }))
}
