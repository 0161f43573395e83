import { Hono, type Context } from 'hono'
import { createMiddleware } from 'hono/factory'

import { REFUSALS, retryAfter, whyUnavailable } from '#backend/database/unavailable.ts'
import { limitBody } from '#backend/http/body.ts'
import { deleteUser } from './admin/delete-user.ts'
import { generateLink, invite } from './admin/generate-link.ts'
import { listUsersAsAdmin } from './admin/list-users.ts'
import { requireService } from './admin/require-service.ts'
import { deleteUserFactor, listUserFactors } from './admin/user-factors.ts'
import { createUserAsAdmin, requireUser, updateUserAsAdmin } from './admin/write-user.ts'
import { exchangeCode } from './codes/exchange-code.ts'
import { followLink } from './codes/follow-link.ts'
import { showConfirmPage } from './codes/link-pages.ts'
import { recover, requestSignInCode, resend } from './codes/request-code.ts'
import { verify } from './codes/verify.ts'
import { isLegacyToken, verifyLegacyToken } from '#backend/http/keys.ts'
import { authErrorResponse, AuthError } from './errors.ts'
import { challengeFactor } from './factors/challenge-factor.ts'
import { enrollFactor } from './factors/enroll-factor.ts'
import { countRecoveryCodes, createRecoveryCodes, verifyRecoveryCode } from './factors/recovery-codes.ts'
import { unenrollFactor } from './factors/unenroll-factor.ts'
import { verifyFactor } from './factors/verify-factor.ts'
import { loadPublicKeys } from './keys/signing-keys.ts'
import { createTokenSigner } from './keys/token-signer.ts'
import { createTokenVerifier, InvalidToken, type VerifyAccessToken } from './keys/token-verifier.ts'
import { refuseUnsupportedGrant, refuseUnsupportedMethods } from './unsupported-methods.ts'
import type { AuthContext } from './auth-context.ts'
import { endSession, listSessions } from './sessions/own-sessions.ts'
import { refreshSession } from './sessions/refresh-session.ts'
import { requireAnySession } from './sessions/require-session.ts'
import { endSessions } from './sessions/end-sessions.ts'
import { serviceSettings } from './service-settings.ts'
import { type AuthSettingsInput, completeSettings } from './settings.ts'
import { signIn } from './sign-in.ts'
import { signUp } from './sign-up.ts'
import { reauthenticate } from './users/reauthenticate.ts'
import { updateUser } from './users/update-user.ts'
import { userResponse } from './users/user-response.ts'
import type { Log } from '#backend/process/log.ts'

const BODY_LIMIT_BYTES = 64 * 1024

export interface AuthOptions extends Omit<AuthContext, 'settings' | 'signToken' | 'verifyToken'> {
  settings?: AuthSettingsInput
  /** The gateway's, so that keys are cached once. */
  verifyToken?: VerifyAccessToken
  /** Accepts tokens signed with the legacy shared secret, such as legacy service keys. */
  legacySecret?: string
  log: Pick<Log, 'error'>
}

/** Serves `/auth/v1`; mount it at that path. */
export function createAuth({ log, ...options }: AuthOptions): Hono {
  const { owner } = options.database
  const auth: AuthContext = {
    ...options,
    settings: completeSettings(options.settings),
    signToken: createTokenSigner(owner),
    verifyToken: acceptLegacyTokens(options.verifyToken ?? createTokenVerifier(owner), options.legacySecret),
  }
  const app = new Hono()

  app.use(limitBody(BODY_LIMIT_BYTES, (c) => authErrorResponse(tooLarge(), c.req.raw)))
  serve(app, auth)
  serveAdmin(app, auth)
  refuseUnsupportedMethods(app)
  // Hono calls `notFound` only on the outermost app.
  app.all('*', (c) =>
    authErrorResponse(new AuthError('route_not_found', 'This path is not served'), c.req.raw),
  )
  app.onError((error, c) => {
    const known = error instanceof AuthError ? error : unexpected(error)
    if (known.status >= 500) log.error({ err: known.cause ?? error, path: c.req.path }, known.message)
    return authErrorResponse(known, c.req.raw)
  })
  return app
}

function serve(app: Hono, auth: AuthContext): void {
  app.post('/signup', (c) => signUp(auth, c))
  app.post('/token', (c) => grantToken(auth, c))
  app.get('/user', async (c) => c.json(userResponse((await requireAnySession(auth, c)).user)))
  app.put('/user', (c) => updateUser(auth, c))
  app.get('/reauthenticate', (c) => reauthenticate(auth, c))

  app.post('/recover', (c) => recover(auth, c))
  app.post('/otp', (c) => requestSignInCode(auth, c))
  app.post('/magiclink', (c) => requestSignInCode(auth, c))
  app.post('/resend', (c) => resend(auth, c))
  app.post('/verify', (c) => verify(auth, c))
  app.get('/verify', (c) => followLink(auth, c))
  app.get('/confirm', (c) => showConfirmPage(auth, c))
  app.post('/confirm', (c) => followLink(auth, c))

  app.post('/factors', (c) => enrollFactor(auth, c))
  app.post('/factors/recovery-codes', (c) => createRecoveryCodes(auth, c))
  app.get('/factors/recovery-codes', (c) => countRecoveryCodes(auth, c))
  app.post('/factors/recovery-codes/verify', (c) => verifyRecoveryCode(auth, c))
  app.post('/factors/:factorId/challenge', (c) => challengeFactor(auth, c))
  app.post('/factors/:factorId/verify', (c) => verifyFactor(auth, c))
  app.delete('/factors/:factorId', (c) => unenrollFactor(auth, c))

  app.get('/settings', (c) => serviceSettings(auth, c))
  app.post('/logout', (c) => endSessions(auth, c))
  app.get('/sessions', (c) => listSessions(auth, c))
  app.delete('/sessions/:sessionId', (c) => endSession(auth, c))

  app.get('/.well-known/jwks.json', async (c) => {
    c.header('Cache-Control', 'public, max-age=600')
    return c.json({ keys: await loadPublicKeys(auth.database.owner) })
  })
  app.get('/health', (c) => c.json({ version: '1', name: 'GoTrue', description: 'Accounts and sessions' }))
}

function serveAdmin(app: Hono, auth: AuthContext): void {
  const serviceOnly = createMiddleware(async (c, next) => {
    await requireService(auth, c)
    await next()
  })
  app.use('/admin/*', serviceOnly)
  app.get('/admin/users', (c) => listUsersAsAdmin(auth, c))
  app.post('/admin/users', (c) => createUserAsAdmin(auth, c))
  app.get('/admin/users/:id', async (c) => c.json(userResponse(await requireUser(auth, c))))
  app.put('/admin/users/:id', (c) => updateUserAsAdmin(auth, c))
  app.delete('/admin/users/:id', (c) => deleteUser(auth, c))
  app.get('/admin/users/:id/factors', (c) => listUserFactors(auth, c))
  app.delete('/admin/users/:id/factors/:factorId', (c) => deleteUserFactor(auth, c))
  app.post('/admin/generate_link', (c) => generateLink(auth, c))
  app.post('/invite', serviceOnly, (c) => invite(auth, c))
}

function grantToken(auth: AuthContext, c: Context): Promise<Response> {
  const type = c.req.query('grant_type') ?? ''
  switch (type) {
    case 'password':
      return signIn(auth, c)
    case 'pkce':
      return exchangeCode(auth, c)
    case 'refresh_token':
      return refreshSession(auth, c)
    default:
      return refuseUnsupportedGrant(type)
  }
}

function acceptLegacyTokens(verifyToken: VerifyAccessToken, secret: string | undefined): VerifyAccessToken {
  if (secret === undefined) return verifyToken
  const key = new TextEncoder().encode(secret)
  return async (token) => {
    if (!isLegacyToken(token)) return verifyToken(token)
    return verifyLegacyToken(token, key).catch((cause: Error) => {
      throw new InvalidToken('token_invalid', cause.message)
    })
  }
}

function tooLarge(): AuthError {
  return new AuthError('request_too_large', `The request body is larger than ${BODY_LIMIT_BYTES} bytes`)
}

function unexpected(cause: Error): AuthError {
  const why = whyUnavailable(cause)
  if (why) {
    const headers = retryAfter(why)
    return new AuthError('request_timeout', REFUSALS[why].message, { cause, status: 503, headers })
  }
  return new AuthError('unexpected_failure', 'Internal Server Error', { cause })
}
