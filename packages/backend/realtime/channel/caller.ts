import { decodeJwt } from 'jose'

import type { Caller } from '#backend/http/caller.ts'
import type { TokenProblem } from '#backend/http/errors.ts'
import { tokenHolder } from '#backend/http/gateway.ts'
import { isOpaqueKey } from '#backend/http/keys.ts'
import type { Claims, VerifiedToken } from '#backend/http/tokens.ts'

type Identified = { caller: Caller; token: string | null } | { problem: string; code: string }

export interface TokenChecks {
  checkToken: (token: string) => Promise<VerifiedToken>
  isRevoked: (claims: Claims) => Promise<boolean>
}

/** Returns the caller of a token; without a token, or with an opaque key instead, the caller of the connection's key. */
export type Identify = (token: string | null, keyHolder: Caller) => Promise<Identified>

export function createIdentify({ checkToken, isRevoked }: TokenChecks): Identify {
  return async (token, keyHolder) => {
    if (!token || isOpaqueKey(token) || token === keyHolder.token) return { caller: keyHolder, token: null }
    const verified = await checkToken(token)
    if ('problem' in verified) return refusal(verified.problem, token)
    const caller = tokenHolder(token, verified.claims)
    if (!caller) return refusal('unknown role', token)
    if (await isRevoked(verified.claims)) return { code: 'InvalidJWTToken', problem: 'The session has ended' }
    return { caller, token }
  }
}

function refusal(problem: TokenProblem, token: string): { code: string; problem: string } {
  switch (problem) {
    case 'expired':
      return {
        code: 'InvalidJWTToken',
        problem: `Token has expired ${secondsSinceExpiry(token)} seconds ago`,
      }
    case 'malformed':
      return { code: 'MalformedJWT', problem: 'The token provided is not a valid JWT' }
    case 'unknown role':
      return { code: 'InvalidJWTToken', problem: 'The role of the token is not served' }
    case 'unknown key':
    case 'invalid':
      return { code: 'JwtSignatureError', problem: 'Failed to validate JWT signature' }
  }
}

function secondsSinceExpiry(token: string): number {
  return Math.floor(Date.now() / 1000 - (decodeJwt(token).exp ?? 0))
}
