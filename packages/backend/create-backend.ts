import type { Server } from 'node:http'
import { Hono, type MiddlewareHandler } from 'hono'
import type { PoolClient } from 'pg'

import { createAuth, type AuthOptions } from './auth/create-auth.ts'
import type { ClientKeys } from './auth/keys/client-keys.ts'
import { rotateSigningKey } from './auth/keys/signing-keys.ts'
import { createTokenVerifier } from './auth/keys/token-verifier.ts'
import { hasSessionEnded, requireLiveSession } from './auth/sessions/live-session.ts'
import { queueText, textTasks } from './auth/text-webhook.ts'
import type { DatabasePools } from './database/pool.ts'
import { inTransaction } from './database/transaction.ts'
import { createFunctions, type FunctionsToServe } from './functions/create-functions.ts'
import { gatewayError } from './functions/errors.ts'
import { type Concurrency, createCallLimit, limitConcurrency } from './http/concurrency.ts'
import { allowOrigins } from './http/cors.ts'
import { assignRequestId, findRemoteAddress, type EdgeVariables, type ListenerContext } from './http/edge.ts'
import { createGateway, type GatewayVariables } from './http/gateway.ts'
import { requireKey } from './http/require-key.ts'
import type { TaskList } from './jobs/run-jobs.ts'
import { createRealtime, type Realtime } from './realtime/create-realtime.ts'
import { createRealtimeApi } from './realtime/create-realtime-api.ts'
import { LIMITS } from './realtime/limits.ts'
import { type Preamble, createRest, type RestOptions } from './rest/create-rest.ts'
import { createStorage, type StorageOptions } from './storage/create-storage.ts'
import type { FileStore } from './storage/files/file-store.ts'
import { planRemoval } from './storage/objects/remove-content.ts'
import { sweepExpired } from './auth/limits/sweep.ts'
import { sweepFiles } from './storage/sweep-files.ts'
import type { Log } from '#backend/process/log.ts'

/** A Hono app whose requests have an id and the client's address. */
export type Api = Hono<{ Bindings: ListenerContext | undefined; Variables: EdgeVariables }>

export interface BackendOptions<Context> {
  database: DatabasePools
  keys: ClientKeys
  /** Origin for browsers, without a trailing slash. */
  publicUrl: string
  /** Uploaded files, which all processes share. */
  files: FileStore
  /** Number of proxies that append to `X-Forwarded-For`; 0 ignores the header. */
  trustProxy: number
  log: Pick<Log, 'error' | 'warn'>
  /** Aborted before the database closes. */
  closing?: AbortSignal | undefined
  /** Also accepts keys and tokens that were signed with the legacy shared secret (HS256). */
  legacySecret?: string | undefined
  /** Treats a request without a key as a visitor's instead of refusing it. */
  isKeyOptional?: boolean
  auth: Pick<AuthOptions, 'settings' | 'sendMail' | 'sendText'> & {
    /** Receives `{ to, channel, code }` by POST and sends the text message; replaces `sendText`. */
    phoneWebhookUrl?: string | null | undefined
  }
  rest?: Omit<RestOptions, 'database' | 'log' | 'signal'>
  storage?: Pick<
    StorageOptions,
    'maxFileBytes' | 'unfinished' | 'pictures' | 'mayMakePicture' | 'guardFinish'
  >
  /** Limits what the data and file services do at once in the database with a caller's rights, per caller; unlimited by default. */
  concurrency?: Concurrency
  realtime?: {
    /** Messages between clients, and presence; both are enabled by default. */
    features?: { broadcast: boolean; presence: boolean }
    /** Closes channels when their session ends; the hosted product closes them only when the token expires. */
    endsWithSession?: boolean
    /** How many processes serve sockets: the limit per network address is divided among them. */
    processes?: number
  }
  functions: Pick<
    FunctionsToServe<Context>,
    'functions' | 'createContext' | 'timeoutMs' | 'anonymousBodyBytes' | 'maxBodyBytes'
  >
  /** Adds middleware that runs before the services. */
  guard?: (api: Api) => void
  /** Middleware of the data service at `/rest/v1/:table`; runs after the gateway has identified the caller. */
  guardData?: MiddlewareHandler<{ Variables: EdgeVariables & GatewayVariables & Preamble }, '/:table'>
  /** Middleware for calls of database functions (`/rest/v1/rpc/:name`) and server functions (`/functions/v1/:name`). */
  guardCalls?: {
    rpc: MiddlewareHandler<{ Variables: EdgeVariables & GatewayVariables & Preamble }, '/:name'>
    functions: MiddlewareHandler<{ Variables: EdgeVariables & GatewayVariables }, '/:name'>
  }
}

export interface Backend {
  /** The services at their paths; an application adds its own routes. */
  api: Api
  /** Handlers and schedule of the services' jobs, for `startJobs`. */
  tasks: TaskList
  crontab: string
  /** Opens the realtime sockets of this process. Close them before the database. */
  serveSockets(this: void, web: Server): Pick<Realtime, 'close'>
  /**
   * Deletes stored files by SQL. `deleteRows` deletes rows of `storage.objects` in a transaction and returns their versions; the files
   * are removed after the commit.
   */
  deleteFiles(this: void, deleteRows: (client: PoolClient) => Promise<string[]>): Promise<void>
}

/** Paths of the auth service for mailed links and other servers, which send no API key. */
const WITHOUT_KEY = ['/verify', '/confirm', '/.well-known/jwks.json', '/health']

/** The old public key stays published until its tokens expire. */
const CRONTAB = `
  0 3 1 * * rotate_signing_key ?jobKey=rotate_signing_key&fill=5w
  17 * * * * sweep_files
  47 * * * * sweep_expired
`

/** Serves a prepared database. CORS allows every origin, as the official client expects. */
export function createBackend<Context>(options: BackendOptions<Context>): Backend {
  const { database, keys, log, legacySecret, trustProxy } = options
  const { owner } = database
  const { features, endsWithSession = false, processes = 1 } = options.realtime ?? {}
  const { files } = options
  const phoneWebhookUrl = options.auth.phoneWebhookUrl
  return {
    api: createServices(options),
    tasks: {
      rotate_signing_key: async () => void (await rotateSigningKey(owner)),
      sweep_expired: () => sweepExpired(owner),
      sweep_files: () => sweepFiles({ owner, files }),
      ...(phoneWebhookUrl && textTasks(phoneWebhookUrl)),
    },
    crontab: CRONTAB,
    serveSockets(web) {
      const sockets = createRealtime({
        database,
        keys,
        log,
        legacySecret,
        features,
        limits: { socketsPerAddress: Math.ceil(LIMITS.socketsPerAddress / processes) },
        verifyToken: createTokenVerifier(owner),
        ...(endsWithSession && { isRevoked: (claims) => hasSessionEnded(owner, claims) }),
      })
      sockets.serve(web, { trustProxy })
      return sockets
    },
    async deleteFiles(deleteRows) {
      const removal = await inTransaction(owner, async (client) =>
        planRemoval(files, await deleteRows(client)),
      )
      await removal.finish()
    },
  }
}

function createServices<Context>(options: BackendOptions<Context>): Api {
  const { database, keys, publicUrl, files, log, legacySecret, isKeyOptional } = options
  const verifyToken = createTokenVerifier(database.owner)
  const verifyLiveToken = requireLiveSession(verifyToken, database.owner)
  const known = { keys, verifyToken: verifyLiveToken, legacySecret, isKeyOptional }
  const gateway = createGateway(known)
  const { phoneWebhookUrl, ...auth } = options.auth
  const sendText = phoneWebhookUrl ? queueText : auth.sendText

  const api: Api = new Hono()
  api.use(assignRequestId(options), findRemoteAddress(options))
  options.guard?.(api)
  for (const service of ['auth', 'rest', 'storage', 'functions', 'realtime'])
    api.use(`/${service}/v1/*`, allowOrigins({ ownOptions: '/storage/v1/upload/resumable' }))
  if (!isKeyOptional) api.use('/auth/v1/*', requireKey({ keys, legacySecret, open: WITHOUT_KEY }))
  api.route(
    '/auth/v1',
    createAuth({ database, keys, publicUrl, verifyToken, legacySecret, log, ...auth, sendText }),
  )
  api.use('/rest/v1/*', gateway)
  // One limit for both services, which share the connections.
  const beginCall = options.concurrency && createCallLimit(options.concurrency)
  if (beginCall) api.use('/rest/v1/*', limitConcurrency(beginCall))
  if (options.guardData) api.use('/rest/v1/:table', options.guardData)
  if (options.guardCalls) api.use('/rest/v1/rpc/:name', options.guardCalls.rpc)
  api.route('/rest/v1', createRest({ database, log, signal: options.closing, ...options.rest }))
  const verified = { database, keys, verifyToken: verifyLiveToken, legacySecret }
  api.route('/storage/v1', createStorage({ ...verified, files, log, beginCall, ...options.storage }))
  api.use(
    '/functions/v1/*',
    createGateway({ ...known, refuseToken: () => gatewayError('UNAUTHORIZED_INVALID_JWT') }),
  )
  if (options.guardCalls) api.use('/functions/v1/:name/*', options.guardCalls.functions)
  api.route('/functions/v1', createFunctions({ log, ...options.functions }))
  api.use('/realtime/v1/*', gateway)
  const isBroadcastEnabled = options.realtime?.features?.broadcast
  api.route('/realtime/v1', createRealtimeApi({ database, isBroadcastEnabled }))
  return api
}
