import type { Hono, MiddlewareHandler } from 'hono'

import { createAuth, type AuthOptions } from './auth/create-auth.ts'
import type { ClientKeys } from './auth/keys/client-keys.ts'
import { createTokenVerifier } from './auth/keys/token-verifier.ts'
import { requireLiveSession } from './auth/sessions/live-session.ts'
import type { Database } from './database/pool.ts'
import { createFunctions, type FunctionsToServe } from './functions/create-functions.ts'
import { gatewayError } from './functions/errors.ts'
import { type Concurrency, limitConcurrency } from './http/concurrency.ts'
import { allowOrigins } from './http/cors.ts'
import type { Connection, EdgeVariables } from './http/edge.ts'
import { createGateway, type GatewayVariables } from './http/gateway.ts'
import { requireKey } from './http/require-key.ts'
import { createRealtimeApi, type RealtimeApiOptions } from './realtime/create-realtime-api.ts'
import { type Preamble, createRest, type RestOptions } from './rest/create-rest.ts'
import { createStorage, type StorageOptions } from './storage/create-storage.ts'

/** What the services are mounted on; `assignRequestId` and `findRemoteAddress` come before them. */
export type Api = Hono<{ Bindings: Connection | undefined; Variables: EdgeVariables }>

export interface BackendParts<Context> {
  database: Database
  keys: ClientKeys
  /** Where browsers reach the process, without a slash at the end. */
  publicUrl: string
  dataDir: string
  log: { error(fields: object, message: string): void }
  /** Aborted before the database closes. */
  closing?: AbortSignal
  /** Lets keys and tokens signed with the old shared secret (HS256) in, beside ours. */
  legacySecret?: string
  /** A request without a key is a visitor's, instead of being refused. */
  isKeyOptional?: boolean
  auth: Pick<AuthOptions, 'settings' | 'sendMail' | 'sendText'>
  rest?: Omit<RestOptions, 'database' | 'log' | 'signal'>
  storage?: Pick<
    StorageOptions,
    'maxFileBytes' | 'unfinished' | 'pictures' | 'mayMakePicture' | 'guardFinish'
  >
  /** Calls of the data service that one caller may have running; any number if left out. */
  concurrency?: Concurrency
  realtime?: Pick<RealtimeApiOptions, 'isBroadcastEnabled'>
  functions: Pick<
    FunctionsToServe<Context>,
    'functions' | 'createContext' | 'timeoutMs' | 'anonymousBodyBytes' | 'maxBodyBytes'
  >
  /** Asked before the data service, with the caller known; mounted at `/rest/v1/:table`. */
  guardData?: MiddlewareHandler<{ Variables: EdgeVariables & GatewayVariables & Preamble }, '/:table'>
  /** The same for calls: of functions of the database (`/rest/v1/rpc/:name`) and of the server (`/functions/v1/:name`). */
  guardCalls?: {
    rpc: MiddlewareHandler<{ Variables: EdgeVariables & GatewayVariables & Preamble }, '/:name'>
    functions: MiddlewareHandler<{ Variables: EdgeVariables & GatewayVariables }, '/:name'>
  }
}

/** Paths of the accounts service that mails link to and other servers read. */
const WITHOUT_KEY = ['/verify', '/confirm', '/.well-known/jwks.json', '/health']

/** The services at their paths; each answers other origins, as the official client expects. */
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
