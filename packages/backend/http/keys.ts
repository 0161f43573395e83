import { createHmac } from 'node:crypto'
import { decodeJwt, decodeProtectedHeader, errors } from 'jose'
import { isSameSecret } from './constant-time.ts'

export interface GatewayKeys {
  publishable: string
  secret: string
}

export type KeyRole = 'anon' | 'service_role'

/** Returns the key's role; null for an unknown key. */
export type FindKeyRole = (key: string) => Promise<KeyRole | null>

/** With `legacySecret`, legacy keys are accepted too: tokens signed with it that name the role. */
export function createKeyRing({ publishable, secret }: GatewayKeys, legacySecret?: string): FindKeyRole {
  const roles: [key: Buffer, role: KeyRole][] = [
    [Buffer.from(publishable), 'anon'],
    [Buffer.from(secret), 'service_role'],
  ]
  const legacyKey = legacySecret === undefined ? null : new TextEncoder().encode(legacySecret)

  return async function findKeyRole(key) {
    const given = Buffer.from(key)
    const known = roles.filter(([own]) => isSameSecret(own, given))[0]
    if (known) return known[1]
    if (!legacyKey || !isLegacyToken(key)) return null
    const claims = await verifyLegacyToken(key, legacyKey).catch(() => null)
    return claims?.role === 'anon' || claims?.role === 'service_role' ? claims.role : null
  }
}

/**
 * Verifies HS256 without jose, which uses another thread: waking it costs a busy process as much as the rest of a request. Returns the
 * claims; throws jose's errors.
 */
export async function verifyLegacyToken(token: string, key: Uint8Array): Promise<Record<string, unknown>> {
  const [header = '', payload = '', signature = '', ...more] = token.split('.')
  const { alg, crit } = decodeProtectedHeader(token)
  if (alg !== 'HS256' || crit !== undefined || more.length > 0)
    throw new errors.JWSInvalid('not a token of ours')
  const expected = createHmac('sha256', key).update(`${header}.${payload}`).digest('base64url')
  if (!isSameSecret(expected, signature)) throw new errors.JWSSignatureVerificationFailed()

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
    // Not a token at all.
    return false
  }
}

/** Current keys are not tokens: as a bearer they only repeat the API key. */
export function isOpaqueKey(text: string): boolean {
  return text.startsWith('sb_publishable_') || text.startsWith('sb_secret_')
}
