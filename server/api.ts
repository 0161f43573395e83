import { Hono } from 'hono'
import type { Logger } from 'pino'
import { createAuth } from '#backend/auth/create-auth.ts'
import type { ClientKeys } from '#backend/auth/keys/client-keys.ts'
import { createTokenVerifier } from '#backend/auth/keys/token-verifier.ts'
import type { Database } from '#backend/database/pool.ts'
import { createFunctions } from '#backend/functions/create-functions.ts'
import { allowOrigins } from '#backend/http/cors.ts'
import { type Connection, type EdgeVariables, findRemoteAddress, nameRequest } from '#backend/http/edge.ts'
import { createGateway } from '#backend/http/gateway.ts'
import { requireKey } from '#backend/http/require-key.ts'
import { createRest } from '#backend/rest/create-rest.ts'
import { createStorage } from '#backend/storage/create-storage.ts'
import { createUnsubscribe } from '#emails/outbox/create-unsubscribe.ts'
import { createMailbox } from '#emails/outbox/mailbox.ts'
import { UNSUBSCRIBE_PATH } from '#emails/outbox/unsubscribe-path.ts'
import { functions } from '#functions/index.ts'
import { createPayments } from '#payments/create-payments.ts'
import { createSimulator } from '#payments/simulator/create-simulator.ts'
import { queueAccountMail } from './account-mail.ts'
import { createHealth } from './health.ts'
import { payfastAccount } from './payfast-account.ts'
import type { Settings } from './settings.ts'
import { limitVisitors } from './visitor-limit.ts'

export interface ShopParts {
  settings: Settings
  database: Database
  keys: ClientKeys
  log: Logger
  /** Aborted before the database closes: whoever keeps a connection of it gives it back. */
  closing?: AbortSignal
}

export type ShopApi = Hono<{ Bindings: Connection | undefined; Variables: EdgeVariables }>

/** Paths of the accounts service that mails link to and other servers read. */
const WITHOUT_KEY = ['/verify', '/confirm', '/.well-known/jwks.json', '/health']

/** Every service at its path, without the pages. */
export function createApi(parts: ShopParts): ShopApi {
  const { settings, log } = parts
  const api: ShopApi = new Hono()
  api.use(nameRequest(settings), findRemoteAddress(settings))
  api.route('/', createHealth(parts.database))
  mountBackend(api, parts)
  mountPayments(api, parts)
  api.route(UNSUBSCRIBE_PATH, createUnsubscribe(parts.database.owner))
  if (hasMailbox(settings)) api.route('/dev/mail', createMailbox(parts.database.owner))
  api.onError((error, c) => {
    log.error({ err: error, id: c.get('requestId'), path: c.req.path }, 'a request failed')
    return c.json({ message: 'Internal Server Error' }, 500)
  })
  return api
}

/** The hosted backend's services; each answers other origins, as the official client expects. */
function mountBackend(api: ShopApi, parts: ShopParts): void {
  const { settings, database, keys, log, closing } = parts
  const { publicUrl, dataDir } = settings
  const payfast = payfastAccount(parts)
  const verifyToken = createTokenVerifier(database.owner)
  const gateway = createGateway({ keys, verifyToken })

  for (const service of ['auth', 'rest', 'storage', 'functions']) api.use(`/${service}/v1/*`, allowOrigins())
  api.use('/auth/v1/*', requireKey({ keys, open: WITHOUT_KEY }))
  api.route(
    '/auth/v1',
    createAuth({ database, keys, publicUrl, verifyToken, sendMail: queueAccountMail, log }),
  )
  api.use('/rest/v1/*', gateway)
  api.use('/rest/v1/:table', limitVisitors(database.owner))
  api.route('/rest/v1', createRest({ database, log, signal: closing }))
  api.route('/storage/v1', createStorage({ database, dataDir, keys, verifyToken, log }))
  api.use('/functions/v1/*', gateway)
  api.route(
    '/functions/v1',
    createFunctions({ functions, given: (caller) => ({ caller, database, publicUrl, payfast }), log }),
  )
}

function mountPayments(api: ShopApi, parts: ShopParts): void {
  const { settings, log } = parts
  const { owner } = parts.database
  const account = payfastAccount(parts)
  api.route('/payments', createPayments({ owner, account, log }))
  if (account.mode === 'simulator') {
    api.route('/simulator', createSimulator({ owner, account, publicUrl: settings.publicUrl, log }))
  }
}

/** The mailbox shows sign-in links to whoever asks: it exists for a shop on this machine, and only while nothing is sent. */
export function hasMailbox({ smtpUrl, isLocal }: Settings): boolean {
  return !smtpUrl && isLocal
}
