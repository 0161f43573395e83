import { isLegacyToken, verifyLegacyToken } from './keys.ts'
import type { TokenProblem } from './errors.ts'

export type Claims = Record<string, unknown>

/** Throws for a token that is not to be believed; `code` says why. */
export type VerifyToken = (token: string) => Promise<Claims>

export type VerifiedToken = { claims: Claims } | { problem: TokenProblem }

/** A verified token is remembered this long at most, so that a key that is taken away stops working soon. */
const REMEMBERED_MS = 60_000
const REMEMBERED_AT_MOST = 1_000

/** Checks tokens; one that was just checked is not checked again, only its expiry is. */
export function createTokenCheck(verifyToken: VerifyToken, legacySecret?: string) {
  const remembered = new Map<string, { claims: Claims; until: number }>()
  const legacyKey = legacySecret === undefined ? null : new TextEncoder().encode(legacySecret)

  async function check(token: string): Promise<VerifiedToken> {
    if (token.split('.').length !== 3) return { problem: 'malformed' }
    try {
      const isLegacy = legacyKey !== null && isLegacyToken(token)
      return { claims: await (isLegacy ? verifyLegacyToken(token, legacyKey) : verifyToken(token)) }
    } catch (error) {
      return { problem: problemOf(error) }
    }
  }

  return async function checkToken(token: string): Promise<VerifiedToken> {
    const known = remembered.get(token)
    if (known && known.until > Date.now()) return { claims: known.claims }
    remembered.delete(token)

    const verified = await check(token)
    if ('claims' in verified) {
      const expiry = typeof verified.claims.exp === 'number' ? verified.claims.exp * 1000 : Infinity
      remembered.set(token, { claims: verified.claims, until: Math.min(expiry, Date.now() + REMEMBERED_MS) })
      const [oldest] = remembered.keys()
      if (remembered.size > REMEMBERED_AT_MOST && oldest !== undefined) remembered.delete(oldest)
    }
    return verified
  }
}

/** A failure that is not the token's, say a database that does not answer, is thrown on. */
function problemOf(error: unknown): TokenProblem {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code === 'token_expired' || code === 'ERR_JWT_EXPIRED') return 'expired'
  if (code === 'token_invalid' || code === 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED') return 'invalid'
  if (code === 'ERR_JWKS_NO_MATCHING_KEY') return 'unknown key'
  if (/^ERR_J(WT|WS|OSE)/.test(code)) return 'invalid'
  throw error
}
