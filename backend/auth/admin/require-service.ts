import { createHash, timingSafeEqual } from 'node:crypto'
import type { Context } from 'hono'

import { AuthError } from '../errors.ts'
import type { AuthParts } from '../parts.ts'
import { bearerOf, verifiedClaims } from '../sessions/require-session.ts'

/** Only a server: the secret key as bearer, or a token whose role is the service's. */
export async function requireService(auth: AuthParts, c: Context): Promise<void> {
  const bearer = bearerOf(c) ?? c.req.header('apikey')
  if (!bearer) throw new AuthError('no_authorization', 'This endpoint requires a valid Bearer token')
  if (isSame(bearer, auth.keys.secret)) return
  if (bearer === auth.keys.publishable) throw new AuthError('not_admin', 'User not allowed')

  const { role } = await verifiedClaims(auth, c)
  if (role !== 'service_role' && role !== 'supabase_admin')
    throw new AuthError('not_admin', 'User not allowed')
}

function isSame(given: string, secret: string): boolean {
  const [a, b] = [given, secret].map((text) => createHash('sha256').update(text).digest())
  return a !== undefined && b !== undefined && timingSafeEqual(a, b)
}
