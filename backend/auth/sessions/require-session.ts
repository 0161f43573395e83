import type { Context } from 'hono'

import { AuthError } from '../errors.ts'
import type { AuthParts } from '../parts.ts'
import { findUserById, isBanned, type UserRow } from '../users/user-row.ts'

export interface SignedIn {
  user: UserRow
  sessionId: string
  aal: string
  /** Signed in within the last day. */
  isRecent: boolean
}

/** Who sends this request, with a session that still stands; the token alone outlives a sign-out. */
export async function requireSession(auth: AuthParts, c: Context): Promise<SignedIn> {
  const claims = await verifiedClaims(auth, c)
  const user = claims.sub && isUuid(claims.sub) ? await findUserById(auth.database.owner, claims.sub) : null
  if (!user) throw new AuthError('user_not_found', 'User from sub claim in JWT does not exist')

  if (isBanned(user)) throw new AuthError('user_banned', 'User is banned', { status: 403 })

  const session = await findSession(auth, user.id, claims.session_id)
  if (!session) {
    throw new AuthError('session_not_found', 'Session from session_id claim in JWT does not exist')
  }
  return { user, sessionId: session.id, aal: session.aal, isRecent: session.isRecent }
}

export async function verifiedClaims(auth: AuthParts, c: Context) {
  const bearer = bearerOf(c)
  if (!bearer) throw new AuthError('no_authorization', 'This endpoint requires a valid Bearer token')
  if (bearer.startsWith('sb_')) throw new AuthError('bad_jwt', 'invalid claim: missing sub claim')
  try {
    return await auth.verifyToken(bearer)
  } catch (cause) {
    if (!(cause instanceof Error) || !isUnusable(cause)) throw cause
    throw new AuthError('bad_jwt', `invalid JWT: unable to parse or verify signature, ${cause.message}`, {
      cause,
    })
  }
}

export function bearerOf(c: Context): string | null {
  return /^bearer\s+(\S+)$/i.exec(c.req.header('authorization') ?? '')?.[1] ?? null
}

function isUnusable(error: Error & { code?: unknown }): boolean {
  return error.code === 'token_expired' || error.code === 'token_invalid'
}

export function isUuid(text: unknown): text is string {
  return typeof text === 'string' && /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text)
}

async function findSession(auth: AuthParts, userId: string, sessionId: unknown) {
  if (!isUuid(sessionId)) return null
  const { rows } = await auth.database.owner.query<{ id: string; aal: string; isRecent: boolean }>(
    `select id, coalesce(aal, 'aal1') as aal, created_at > now() - interval '1 day' as "isRecent" from auth.sessions
     where id = $1 and user_id = $2 and coalesce(not_after > now(), true)`,
    [sessionId, userId],
  )
  return rows[0] ?? null
}
