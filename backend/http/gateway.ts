import { createMiddleware } from 'hono/factory'

import type { Caller } from './caller.ts'
import {
  answerRefusal,
  noKey,
  secretKeyInBrowser,
  tokenRefusal,
  unknownKey,
  type TokenProblem,
} from './errors.ts'
import { createKeyRing, isOpaqueKey, type GatewayKeys, type KeyRole } from './keys.ts'
import { createTokenCheck, type Claims, type VerifyToken } from './tokens.ts'

export interface GatewayVariables {
  caller: Caller
}

export interface GatewayOptions {
  keys: GatewayKeys
  verifyToken: VerifyToken
  /** Lets keys and tokens signed with the old shared secret in. */
  legacySecret?: string
  /** Who sends no key is a visitor, as with the hosted product's stack on one's own machine; otherwise it is refused. */
  isKeyOptional?: boolean
  /** How this service says that a token is not to be believed; PostgREST's form if left out. */
  refuseToken?: (problem: TokenProblem, token: string) => Response
}

/**
 * Names the caller of each request: the key says which client it is and, alone, gives the visitor's or the service's
 * rights; a person's access token beside it wins. Nothing that a client sends besides these two decides a role.
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
  const refuse = refuseToken ?? ((problem, token) => answerRefusal(tokenRefusal(problem, token)))

  return createMiddleware<{ Variables: GatewayVariables }>(async (c, next) => {
    const key = c.req.header('apikey')
    if (!key && !isKeyOptional) return answerRefusal(noKey)
    const keyRole = key ? await findKeyRole(key) : 'anon'
    if (!keyRole) return answerRefusal(unknownKey)
    if (key && isOpaqueKey(key) && keyRole === 'service_role' && isBrowser(c.req.header('User-Agent'))) {
      return answerRefusal(secretKeyInBrowser)
    }

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

/** Every browser has called itself Mozilla since the nineties; no server library does. */
export function isBrowser(userAgent: string | undefined): boolean {
  return userAgent?.startsWith('Mozilla/') ?? false
}
