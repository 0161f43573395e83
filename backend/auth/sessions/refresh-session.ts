import type { Context } from 'hono'
import type { PoolClient } from 'pg'
import { z } from 'zod'

import { inTransaction } from '#backend/database/transaction.ts'
import { AuthError } from '../errors.ts'
import { consumeRateLimit } from '../limits/rate-limit.ts'
import type { AuthParts } from '../parts.ts'
import { originOf, readBody } from '../request.ts'
import { findUserById, isBanned } from '../users/user-row.ts'
import { replaceToken, type SessionOfToken } from './rotate-token.ts'
import { readGrant, tokenAnswer, type Grant } from './token-answer.ts'

const schema = z.object({ refresh_token: z.string().max(255) })

type Refreshed =
  | { outcome: 'refreshed'; grant: Grant }
  | { outcome: 'unknown' | 'reused' | 'expired' | 'banned' }

/** POST /token?grant_type=refresh_token */
export async function refreshSession(auth: AuthParts, c: Context): Promise<Response> {
  const { refresh_token: token } = await readBody(c, schema)
  await consumeRateLimit(auth.database.owner, {
    bucket: 'refresh',
    subject: originOf(c).address ?? 'unknown',
    limit: auth.settings.limits.refreshesPerAddress,
  })

  // The outcome is returned, not thrown: the end of a session whose token was stolen must be committed.
  const refreshed = await inTransaction(auth.database.owner, (client) =>
    rotate(client, token, auth.settings.refreshReuseSeconds),
  )

  switch (refreshed.outcome) {
    case 'refreshed':
      return c.json(await tokenAnswer(auth, refreshed.grant))
    case 'unknown':
      throw new AuthError('refresh_token_not_found', 'Invalid Refresh Token: Refresh Token Not Found')
    case 'reused':
      throw new AuthError('refresh_token_already_used', 'Invalid Refresh Token: Already Used')
    case 'expired':
      throw new AuthError('session_expired', 'Invalid Refresh Token: Session Expired')
    case 'banned':
      throw new AuthError('user_banned', 'Invalid Refresh Token: User Banned')
  }
}

async function rotate(client: PoolClient, token: string, reuseSeconds: number): Promise<Refreshed> {
  const session = await lockSession(client, token)
  if (!session) return { outcome: 'unknown' }
  if (session.isOver) return { outcome: 'expired' }
  const user = await findUserById(client, session.userId)
  if (!user) return { outcome: 'unknown' }
  if (isBanned(user)) return { outcome: 'banned' }

  const next = await nextToken(client, { token, session, reuseSeconds })
  if (!next) {
    // The whole session, not only its refresh tokens: the thief's access token would stay good for up to an hour.
    await client.query('delete from auth.sessions where id = $1', [session.id])
    return { outcome: 'reused' }
  }
  await client.query(`update auth.sessions set refreshed_at = now() at time zone 'utc' where id = $1`, [
    session.id,
  ])
  const grant = await readGrant(client, { userId: user.id, sessionId: session.id, refreshToken: next })
  return { outcome: 'refreshed', grant }
}

interface Session extends SessionOfToken {
  isOver: boolean
}

/** Everybody who refreshes this session, in whichever process, queues here. */
async function lockSession(client: PoolClient, token: string): Promise<Session | null> {
  const { rows } = await client.query<Session>(
    `select id, user_id as "userId", coalesce(not_after < now(), false) as "isOver"
     from auth.sessions
     where id = (select session_id from auth.refresh_tokens where token = $1)
     for update`,
    [token],
  )
  return rows[0] ?? null
}

interface Presented {
  token: string
  session: Session
  reuseSeconds: number
}

/**
 * The token that follows the presented one, or null when it must have been stolen.
 *
 * A used token is still honest when the answer to its first use never arrived (it is then the parent of the one active
 * token), or when another tab has just used it. Both get that active token, so a session never has two.
 */
async function nextToken(
  client: PoolClient,
  { token, session, reuseSeconds }: Presented,
): Promise<string | null> {
  // Read after the lock was granted: another refresh may have changed the rows while we waited.
  const { rows } = await client.query<{
    revoked: boolean
    isRecent: boolean
    active: string | null
    activeParent: string | null
  }>(
    `select t.revoked, clock_timestamp() < t.updated_at + make_interval(secs => $3) as "isRecent",
       active.token as active, active.parent as "activeParent"
     from auth.refresh_tokens t
     left join lateral (
       select token, parent from auth.refresh_tokens where session_id = $2 and not revoked order by id desc limit 1
     ) active on true
     where t.token = $1`,
    [token, session.id, reuseSeconds],
  )
  const [presented] = rows
  if (!presented) return null
  if (!presented.revoked) return replaceToken(client, token, session)

  const isHonest = presented.activeParent === token || presented.isRecent
  return isHonest ? presented.active : null
}
