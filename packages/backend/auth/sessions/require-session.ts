import type { Context } from 'hono'
import type { Pool, PoolClient } from 'pg'
import { z } from 'zod'

import { findRow } from '#backend/database/select-rows.ts'
import { AuthError } from '../errors.ts'
import type { AuthContext } from '../auth-context.ts'
import { findUserById, isBanned, verifiedFactors, type UserRow } from '../users/user-row.ts'
import { lastProofAt } from './recent-proof.ts'

export interface SignedIn {
  user: UserRow
  sessionId: string
  /** The lower of the session's and the token's level: tokens from before a step-up stay at aal1. */
  aal: string
  /** Signed in within the last day. */
  isRecent: boolean
  /** When the session last showed a secret, according to the token, in ms since 1970. */
  provenAt: number
}

interface AalError {
  message: string
  status?: number
}

const NEEDS_AAL2: AalError = { message: 'AAL2 session is required for this call', status: 403 }

/**
 * Returns the caller. Throws `insufficient_aal` if the account has a verified factor and the session only aal1. The few calls that such
 * a session may make (step up, end itself) use `requireAnySession`.
 */
export async function requireSession(
  auth: AuthContext,
  c: Context,
  aalError = NEEDS_AAL2,
): Promise<SignedIn> {
  const signedIn = await requireAnySession(auth, c)
  if (needsSecondFactor(signedIn)) throw insufficientAal(aalError)
  return signedIn
}

/** Whether the account has a verified factor but the session only aal1. */
export function needsSecondFactor({ user, aal }: Pick<SignedIn, 'user' | 'aal'>): boolean {
  return aal === 'aal1' && verifiedFactors(user).length > 0
}

export function insufficientAal({ message, status }: AalError): AuthError {
  return new AuthError('insufficient_aal', message, { status })
}

/**
 * Locks the account until the transaction ends and throws unless `signedIn` is still valid. Without it, a session that was ended or
 * needs a second factor since the check could still write its change.
 */
export async function requireUnchanged(
  client: PoolClient,
  { user, sessionId, aal }: SignedIn,
  aalError = NEEDS_AAL2,
): Promise<UserRow> {
  await lockAccount(client, user.id)
  const current = await findUserById(client, user.id)
  const session = await findSession(client, user.id, { session_id: sessionId, aal })
  if (!current || !session) throw sessionNotFound()
  const neededSecondFactor = needsSecondFactor({ user, aal })
  if (needsSecondFactor({ user: current, aal: session.aal }) && !neededSecondFactor)
    throw insufficientAal(aalError)
  return current
}

/** Locks the account until the transaction ends. Take this lock before those of its factors and codes, to avoid deadlocks. */
export async function lockAccount(client: PoolClient, userId: string): Promise<void> {
  await client.query('select from auth.users where id = $1 for no key update', [userId])
}

function sessionNotFound(): AuthError {
  return new AuthError('session_not_found', 'Session from session_id claim in JWT does not exist')
}

/** Returns the caller with a live session of any level. Checks the session too, because tokens outlive a sign-out. */
export async function requireAnySession(auth: AuthContext, c: Context): Promise<SignedIn> {
  const claims = await verifiedClaims(auth, c)
  const user = claims.sub && isUuid(claims.sub) ? await findUserById(auth.database.owner, claims.sub) : null
  if (!user) throw new AuthError('user_not_found', 'User from sub claim in JWT does not exist')

  if (isBanned(user)) throw new AuthError('user_banned', 'User is banned', { status: 403 })

  const session = await findSession(auth.database.owner, user.id, {
    session_id: claims.session_id,
    aal: claims.aal,
  })
  if (!session) throw sessionNotFound()
  const { id: sessionId, aal, isRecent } = session
  return { user, sessionId, aal, isRecent, provenAt: lastProofAt(claims.amr) }
}

export async function verifiedClaims(auth: AuthContext, c: Context) {
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

const sessionRow = z.object({ id: z.string(), aal: z.string(), isRecent: z.boolean() })

type SessionClaims = Record<'session_id' | 'aal', unknown>

async function findSession(
  db: Pool | PoolClient,
  userId: string,
  { session_id: sessionId, aal }: SessionClaims,
) {
  if (!isUuid(sessionId)) return null
  return findRow(db, sessionRow, [
    `select id, least(coalesce(aal, 'aal1'), $3) as aal,
       coalesce(created_at > now() - interval '1 day', false) as "isRecent"
     from auth.sessions
     where id = $1 and user_id = $2 and coalesce(not_after > now(), true)`,
    sessionId,
    userId,
    aal ?? 'aal1',
  ])
}
