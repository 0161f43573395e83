import type { Context } from 'hono'

import { isSameSecret } from '#backend/http/constant-time.ts'
import { AuthError } from '../errors.ts'
import type { AuthContext } from '../auth-context.ts'
import { bearerOf, verifiedClaims } from '../sessions/require-session.ts'

/** Throws unless the caller presents the secret key or a token with the service role. */
export async function requireService(auth: AuthContext, c: Context): Promise<void> {
  const bearer = bearerOf(c) ?? c.req.header('apikey')
  if (!bearer) throw new AuthError('no_authorization', 'This endpoint requires a valid Bearer token')
  if (isSameSecret(auth.keys.secret, bearer)) return
  if (bearer === auth.keys.publishable) throw new AuthError('not_admin', 'User not allowed')

  const { role } = await verifiedClaims(auth, c)
  if (role !== 'service_role' && role !== 'supabase_admin')
    throw new AuthError('not_admin', 'User not allowed')
}
