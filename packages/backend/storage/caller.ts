import type { Context } from 'hono'

import { visitor, type Caller } from '#backend/http/caller.ts'
import type { Credentials } from '#backend/http/gateway.ts'
import { createKeyRing, isOpaqueKey } from '#backend/http/keys.ts'
import { createTokenCheck } from '#backend/http/tokens.ts'
import { StorageError } from './errors.ts'

export type FindCaller = (c: Context) => Promise<Caller>

/**
 * Identifies the caller by storage's own rules: a missing key and a bad token both throw a `StorageError`, and a token may
 * stand without `Bearer`.
 */
export function createCallerFinder({ keys, verifyToken, legacySecret }: Credentials): FindCaller {
  const findKeyRole = createKeyRing(keys, legacySecret)
  const checkToken = createTokenCheck(verifyToken, legacySecret)

  return async function findCaller(c) {
    const bearer = /^(?:bearer\s+)?(\S+)$/i.exec(c.req.header('authorization') ?? '')?.[1]
    if (!bearer || isOpaqueKey(bearer)) return byKey(c.req.header('apikey') ?? bearer)
    const verified = await checkToken(bearer)
    if ('problem' in verified) {
      throw new StorageError(
        'InvalidJWT',
        verified.problem === 'expired' ? '"exp" claim timestamp check failed' : 'Invalid JWT',
      )
    }
    const { role, sub } = verified.claims
    if (role !== 'authenticated' && role !== 'service_role' && role !== 'anon')
      throw new StorageError('InvalidJWT')
    return { role, claims: verified.claims, userId: typeof sub === 'string' ? sub : null, token: bearer }
  }

  async function byKey(key: string | undefined): Promise<Caller> {
    if (!key) throw new StorageError('InvalidJWT', 'Invalid Compact JWS')
    const role = await findKeyRole(key)
    if (!role) throw new StorageError('InvalidJWT', 'Invalid API key')
    return { ...visitor, role, claims: { role } }
  }
}
