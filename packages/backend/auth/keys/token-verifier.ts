import { decodeProtectedHeader, errors, importJWK, jwtVerify, type CryptoKey, type JWTPayload } from 'jose'
import type { Pool } from 'pg'

import { loadPublicKeys, SIGNING_ALGORITHM } from './signing-keys.ts'

/** Retired keys stay published; this time only limits how long a key removed by hand still works. */
const KEYS_CACHED_MS = 10 * 60_000
/** Limits the queries that tokens with made-up key ids can cause. */
const RELOAD_AT_MOST_EVERY_MS = 1_000

export type VerifyAccessToken = (token: string) => Promise<JWTPayload>

/** Check `code` instead of `instanceof`: the class exists twice when bundled and unbundled code meet. */
export class InvalidToken extends Error {
  readonly code: 'token_expired' | 'token_invalid'

  constructor(code: InvalidToken['code'], message: string) {
    super(message)
    this.code = code
  }
}

export interface TokenVerifierOptions {
  /** Tolerated difference between the signer's clock and this one; default 0. */
  clockToleranceSeconds?: number
}

/** Verifies signature and expiry, not whether the session still exists (`requireLiveSession` does). */
export function createTokenVerifier(owner: Pool, options: TokenVerifierOptions = {}): VerifyAccessToken {
  const findKey = createKeyCache(owner)
  const { clockToleranceSeconds = 0 } = options

  return async function verifyToken(token) {
    const key = await findKey(kidOf(token))
    if (!key) throw new InvalidToken('token_invalid', 'signing key is unknown')
    try {
      const { payload } = await jwtVerify(token, key, {
        algorithms: [SIGNING_ALGORITHM],
        requiredClaims: ['exp', 'sub'],
        clockTolerance: clockToleranceSeconds,
      })
      return payload
    } catch (error) {
      if (error instanceof errors.JWTExpired) throw new InvalidToken('token_expired', 'token is expired')
      throw new InvalidToken('token_invalid', 'signature or claims are invalid')
    }
  }
}

function kidOf(token: string): string {
  try {
    const { alg, kid } = decodeProtectedHeader(token)
    if (alg === SIGNING_ALGORITHM && kid) return kid
  } catch {
    throw new InvalidToken('token_invalid', 'token is malformed')
  }
  throw new InvalidToken('token_invalid', 'signing method is invalid')
}

function createKeyCache(owner: Pool) {
  type Keys = Map<string, CryptoKey | Uint8Array>
  let cached: Promise<Keys> | null = null
  let loadedAt = 0

  async function load(): Promise<Keys> {
    const published = await loadPublicKeys(owner)
    const entries = published.map(
      async (jwk) => [jwk.kid ?? '', await importJWK(jwk, SIGNING_ALGORITHM)] as const,
    )
    return new Map(await Promise.all(entries))
  }

  function keysNotOlderThan(ms: number): Promise<Keys> {
    if (!cached || Date.now() - loadedAt > ms) {
      loadedAt = Date.now()
      cached = load()
      cached.catch(() => {
        cached = null
      })
    }
    return cached
  }

  return async function findKey(kid: string) {
    const known = (await keysNotOlderThan(KEYS_CACHED_MS)).get(kid)
    return known ?? (await keysNotOlderThan(RELOAD_AT_MOST_EVERY_MS)).get(kid) ?? null
  }
}
