import type { Context } from 'hono'
import type { Pool, PoolClient } from 'pg'

import { AuthError } from '../errors.ts'
import type { AuthParts } from '../parts.ts'
import { findUserById, isBanned, verifiedFactors, type UserRow } from '../users/user-row.ts'

export interface SignedIn {
  user: UserRow
  sessionId: string
  /** Of the session, at most the one that the token claims: a token from before the step-up is not raised with its session. */
  aal: string
  /** Signed in within the last day. */
  isRecent: boolean
}

interface Refusal {
  message: string
  status?: number
}

const NEEDS_AAL2: Refusal = { message: 'AAL2 session is required for this call', status: 403 }

/**
 * The caller, with everything shown that the account asks for: with a verified factor that is aal2. Otherwise throws
 * `insufficient_aal`, with GoTrue's own message and status where it has them. A session that has shown only the password of such
 * an account may do nothing but step up or end itself; those few calls use `requireAnySession`.
 */
export async function requireSession(auth: AuthParts, c: Context, refusal = NEEDS_AAL2): Promise<SignedIn> {
  const signedIn = await requireAnySession(auth, c)
  if (isHalfProven(signedIn)) throw insufficient(refusal)
  return signedIn
}

/** Whether only the password has been shown of an account that has a verified factor. */
export function isHalfProven({ user, aal }: Pick<SignedIn, 'user' | 'aal'>): boolean {
  return aal === 'aal1' && verifiedFactors(user).length > 0
}

export function insufficient({ message, status }: Refusal): AuthError {
  return new AuthError('insufficient_aal', message, { status })
}

/**
 * Locks the account for the rest of the transaction and throws unless `signedIn` still holds. Without it a change that was
 * allowed a moment ago, by a session that has been ended since or before a factor was verified, would still be written.
 */
export async function requireUnchanged(
  client: PoolClient,
  { user, sessionId, aal }: SignedIn,
  refusal = NEEDS_AAL2,
): Promise<UserRow> {
  await lockAccount(client, user.id)
  const current = await findUserById(client, user.id)
  const session = await findSession(client, user.id, { session_id: sessionId, aal })
  if (!current || !session) throw sessionNotFound()
  const wasHalfProven = isHalfProven({ user, aal })
  if (isHalfProven({ user: current, aal: session.aal }) && !wasHalfProven) throw insufficient(refusal)
  return current
}

/** Until the transaction ends. To be taken before the account's factors and codes, in every place, or two calls deadlock. */
export async function lockAccount(client: PoolClient, userId: string): Promise<void> {
  await client.query('select from auth.users where id = $1 for no key update', [userId])
}

function sessionNotFound(): AuthError {
  return new AuthError('session_not_found', 'Session from session_id claim in JWT does not exist')
}

/** The caller, with a session that still stands, whatever it has shown; the token alone outlives a sign-out. */
export async function requireAnySession(auth: AuthParts, c: Context): Promise<SignedIn> {
  const claims = await verifiedClaims(auth, c)
  const user = claims.sub && isUuid(claims.sub) ? await findUserById(auth.database.owner, claims.sub) : null
  if (!user) throw new AuthError('user_not_found', 'User from sub claim in JWT does not exist')

  if (isBanned(user)) throw new AuthError('user_banned', 'User is banned', { status: 403 })

  const session = await findSession(auth.database.owner, user.id, {
    session_id: claims.session_id,
    aal: claims.aal,
  })
  if (!session) throw sessionNotFound()
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

type Claimed = Record<'session_id' | 'aal', unknown>

async function findSession(db: Pool | PoolClient, userId: string, { session_id: sessionId, aal }: Claimed) {
  if (!isUuid(sessionId)) return null
  const { rows } = await db.query<{ id: string; aal: string; isRecent: boolean }>(
    `select id, least(coalesce(aal, 'aal1'), $3) as aal, created_at > now() - interval '1 day' as "isRecent" from auth.sessions
     where id = $1 and user_id = $2 and coalesce(not_after > now(), true)`,
    [sessionId, userId, aal ?? 'aal1'],
  )
  return rows[0] ?? null
}
