import { createHmac, timingSafeEqual } from 'node:crypto'
import { decodeJwt, decodeProtectedHeader, errors } from 'jose'

/** The two opaque keys of a client, and the roles they stand for. */
export interface GatewayKeys {
  publishable: string
  secret: string
}

export type KeyRole = 'anon' | 'service_role'

/** Tells the role of a key; null for a key that nobody gave out. */
export type FindKeyRole = (key: string) => Promise<KeyRole | null>

/** `legacySecret` lets the old kind of key in as well: a token signed with it that names the role. */
export function createKeyRing({ publishable, secret }: GatewayKeys, legacySecret?: string): FindKeyRole {
  const roles: [key: Buffer, role: KeyRole][] = [
    [Buffer.from(publishable), 'anon'],
    [Buffer.from(secret), 'service_role'],
  ]
  const legacyKey = legacySecret === undefined ? null : new TextEncoder().encode(legacySecret)

  return async function findKeyRole(key) {
    const given = Buffer.from(key)
    const known = roles.filter(([own]) => isSame(own, given))[0]
    if (known) return known[1]
    if (!legacyKey || !isLegacyToken(key)) return null
    const claims = await verifyLegacyToken(key, legacyKey).catch(() => null)
    return claims?.role === 'anon' || claims?.role === 'service_role' ? claims.role : null
  }
}

/**
 * HS256 by hand, because it is done in microseconds: jose hands every check to another thread, and waking one costs a busy
 * process as much as the rest of a request.
 */
export async function verifyLegacyToken(token: string, key: Uint8Array): Promise<Record<string, unknown>> {
  const [header = '', payload = '', signature = '', ...more] = token.split('.')
  const { alg, crit } = decodeProtectedHeader(token)
  if (alg !== 'HS256' || crit !== undefined || more.length > 0)
    throw new errors.JWSInvalid('not a token of ours')
  const wanted = createHmac('sha256', key).update(`${header}.${payload}`).digest('base64url')
  if (!isSame(Buffer.from(wanted), Buffer.from(signature))) throw new errors.JWSSignatureVerificationFailed()

  const claims = decodeJwt(token)
  const now = Date.now() / 1000
  if (isWrongTime(claims.exp) || isWrongTime(claims.nbf))
    throw new errors.JWTInvalid('a time is not a number')
  if (claims.exp !== undefined && claims.exp <= now) throw new errors.JWTExpired('expired', claims, 'exp')
  if (claims.nbf !== undefined && claims.nbf > now) {
    throw new errors.JWTClaimValidationFailed('not valid yet', claims, 'nbf')
  }
  return claims
}

function isWrongTime(time: unknown): boolean {
  return time !== undefined && typeof time !== 'number'
}

export function isLegacyToken(token: string): boolean {
  try {
    return decodeProtectedHeader(token).alg === 'HS256'
  } catch {
    // No token at all, so not a legacy one either.
    return false
  }
}

/** Keys of the new kind are no tokens: as a bearer they only repeat who the client is. */
export function isOpaqueKey(text: string): boolean {
  return text.startsWith('sb_publishable_') || text.startsWith('sb_secret_')
}

/** In constant time; how long a key of ours is anybody knows. */
function isSame(own: Buffer, given: Buffer): boolean {
  return own.length === given.length && timingSafeEqual(own, given)
}
