import { LRUCache } from 'lru-cache'
import { isLegacyToken, verifyLegacyToken } from './keys.ts'
import type { TokenProblem } from './errors.ts'

export type Claims = Record<string, unknown>

/** Throws for an invalid token, with the reason in `code`. */
export type VerifyToken = (token: string) => Promise<Claims>

export type VerifiedToken = { claims: Claims } | { problem: TokenProblem }

/** Limits how long tokens of a removed key or ended session still work. */
const CACHE_MS = 60_000
const MAX_CACHED = 1_000

/** Returns a token check with a cache: a cached token is only checked for expiry. */
export function createTokenCheck(verifyToken: VerifyToken, legacySecret?: string) {
  // Uses the system clock, as the expiry of tokens does.
  const cache = new LRUCache<string, Claims>({
    max: MAX_CACHED,
    perf: { now: () => Date.now() },
    ttlResolution: 0,
  })
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
    const cached = cache.get(token)
    if (cached) return { claims: cached }

    const verified = await check(token)
    if ('claims' in verified) {
      const { claims } = verified
      const leftMs = typeof claims.exp === 'number' ? claims.exp * 1000 - Date.now() : Infinity
      if (leftMs > 0) cache.set(token, claims, { ttl: Math.min(leftMs, CACHE_MS) })
    }
    return verified
  }
}

/** Rethrows errors that are not the token's fault, such as an unreachable database. */
function problemOf(error: unknown): TokenProblem {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code === 'token_expired' || code === 'ERR_JWT_EXPIRED') return 'expired'
  if (code === 'token_invalid' || code === 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED') return 'invalid'
  if (code === 'ERR_JWKS_NO_MATCHING_KEY') return 'unknown key'
  if (/^ERR_J(WT|WS|OSE)/.test(code)) return 'invalid'
  throw error
}
