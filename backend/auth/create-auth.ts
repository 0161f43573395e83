import { Hono, type Context } from 'hono'
import { bodyLimit } from 'hono/body-limit'

import type { Database } from '#backend/database/pool.ts'
import { answerError, AuthError, invalidInput } from './errors.ts'
import type { ClientKeys } from './keys/client-keys.ts'
import { loadPublicKeys } from './keys/signing-keys.ts'
import { createTokenSigner } from './keys/token-signer.ts'
import { createTokenVerifier, type VerifyToken } from './keys/token-verifier.ts'
import type { SendMail } from './mail.ts'
import type { AuthParts } from './parts.ts'
import { refreshSession } from './sessions/refresh-session.ts'
import { requireSession } from './sessions/require-session.ts'
import { signOut } from './sessions/sign-out.ts'
import { type AuthSettings, defaultSettings } from './settings.ts'
import { signIn } from './sign-in.ts'
import { signUp } from './sign-up.ts'
import { userAnswer } from './users/user-answer.ts'

const BODY_LIMIT_BYTES = 64 * 1024

export interface AuthOptions {
  database: Database
  keys: ClientKeys
  publicUrl: string
  settings?: Partial<AuthSettings>
  sendMail: SendMail
  /** Shared with the gateway, so that keys are cached once. */
  verifyToken?: VerifyToken
  log: { error(fields: object, message: string): void }
}

/** `/auth/v1`, mounted at that path. */
export function createAuth({ log, ...options }: AuthOptions): Hono {
  const { owner } = options.database
  const auth: AuthParts = {
    ...options,
    settings: { ...defaultSettings, ...options.settings },
    signToken: createTokenSigner(owner),
    verifyToken: options.verifyToken ?? createTokenVerifier(owner),
  }
  const app = new Hono()

  app.use(bodyLimit({ maxSize: BODY_LIMIT_BYTES, onError: (c) => answerError(tooLarge(), c.req.raw) }))
  serve(app, auth)
  // Not `notFound`: only the outermost app's is asked.
  app.all('*', (c) => answerError(new AuthError('route_not_found', 'This path is not served'), c.req.raw))
  app.onError((error, c) => {
    const known = error instanceof AuthError ? error : unexpected(error)
    if (known.status >= 500) log.error({ err: known.cause ?? error, path: c.req.path }, known.message)
    return answerError(known, c.req.raw)
  })
  return app
}

function serve(app: Hono, auth: AuthParts): void {
  app.post('/signup', (c) => signUp(auth, c))
  app.post('/token', (c) => grantToken(auth, c))
  app.get('/user', async (c) => c.json(userAnswer((await requireSession(auth, c)).user)))
  app.post('/logout', (c) => signOut(auth, c))

  app.get('/.well-known/jwks.json', async (c) => {
    c.header('Cache-Control', 'public, max-age=600')
    return c.json({ keys: await loadPublicKeys(auth.database.owner) })
  })
  app.get('/health', (c) => c.json({ version: '1', name: 'GoTrue', description: 'Accounts and sessions' }))
}

function grantToken(auth: AuthParts, c: Context): Promise<Response> {
  switch (c.req.query('grant_type') ?? '') {
    case 'password':
      return signIn(auth, c)
    case 'refresh_token':
      return refreshSession(auth, c)
    default:
      throw invalidInput('unsupported_grant_type')
  }
}

function tooLarge(): AuthError {
  return new AuthError('request_too_large', `The request body is larger than ${BODY_LIMIT_BYTES} bytes`)
}

function unexpected(cause: Error): AuthError {
  return new AuthError('unexpected_failure', 'Internal Server Error', { cause })
}
