import { createMiddleware } from 'hono/factory'

import type { Caller } from './caller.ts'
import {
  unauthorizedResponse,
  noKey,
  secretKeyInBrowser,
  tokenError,
  unknownKey,
  type TokenProblem,
  type Unauthorized,
} from './errors.ts'
import { createKeyRing, isOpaqueKey, type FindKeyRole, type GatewayKeys, type KeyRole } from './keys.ts'
import { createTokenCheck, type Claims, type VerifyToken } from './tokens.ts'

export interface GatewayVariables {
  caller: Caller
}

/** What identifies a caller. */
export interface Credentials {
  keys: GatewayKeys
  verifyToken: VerifyToken
  /** Accepts keys and tokens that were signed with the legacy shared secret. */
  legacySecret?: string | undefined
}

export interface GatewayOptions extends Credentials {
  /** Treats requests without a key as visitors, as the hosted product's local stack does, instead of refusing them. */
  isKeyOptional?: boolean
  /** Creates the service's response for an invalid token; default: PostgREST's format. */
  refuseToken?: (problem: TokenProblem, token: string) => Response
}

/**
 * Sets `caller`: from the access token if there is one, otherwise from the API key (visitor or service role). Nothing else that a client
 * sends decides the role.
 */
export function createGateway({
  keys,
  verifyToken,
  legacySecret,
  refuseToken,
  isKeyOptional,
}: GatewayOptions) {
  const findKeyRole = createKeyRing(keys, legacySecret)
  const checkToken = createTokenCheck(verifyToken, legacySecret)
  const refuse = refuseToken ?? ((problem, token) => unauthorizedResponse(tokenError(problem, token)))

  return createMiddleware<{ Variables: GatewayVariables }>(async (c, next) => {
    const key = c.req.header('apikey')
    if (!key && !isKeyOptional) return unauthorizedResponse(noKey)
    const keyRole = key ? await checkKey(findKeyRole, key, c.req.header('User-Agent')) : 'anon'
    if (typeof keyRole !== 'string') return unauthorizedResponse(keyRole)

    const token = bearerOf(c.req.header('Authorization'))
    if (!token || token === key || isOpaqueKey(token)) {
      c.set('caller', keyHolder(keyRole))
      return next()
    }
    const verified = await checkToken(token)
    if ('problem' in verified) return refuse(verified.problem, token)
    const caller = tokenHolder(token, verified.claims)
    if (!caller) return refuse('unknown role', token)
    c.set('caller', caller)
    return next()
  })
}

export function keyHolder(role: KeyRole): Caller {
  return { role, claims: { role }, userId: null, token: null }
}

export function tokenHolder(token: string, claims: Claims): Caller | null {
  const { role = 'anon', sub } = claims
  if (role !== 'anon' && role !== 'authenticated' && role !== 'service_role') return null
  return { role, claims, userId: typeof sub === 'string' ? sub : null, token }
}

function bearerOf(authorization: string | undefined): string | null {
  return /^Bearer\s+(\S+)$/i.exec(authorization ?? '')?.[1] ?? null
}

/** Returns the key's role, or why it is refused. */
export async function checkKey(
  findKeyRole: FindKeyRole,
  key: string,
  userAgent: string | undefined,
): Promise<KeyRole | Unauthorized> {
  const role = await findKeyRole(key)
  if (!role) return unknownKey
  return isOpaqueKey(key) && role === 'service_role' && isBrowser(userAgent) ? secretKeyInBrowser : role
}

/** All browsers identify as Mozilla; server libraries do not. */
function isBrowser(userAgent: string | undefined): boolean {
  return userAgent?.startsWith('Mozilla/') ?? false
}
