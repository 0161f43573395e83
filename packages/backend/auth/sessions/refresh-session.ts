import type { Context } from 'hono'
import type { PoolClient } from 'pg'
import { z } from 'zod'

import { asText, findRow, selectValues } from '#backend/database/select-rows.ts'
import { inTransaction } from '#backend/database/transaction.ts'
import { AuthError } from '../errors.ts'
import { consumeAddressLimit, consumeRateLimit } from '../limits/rate-limit.ts'
import type { AuthContext } from '../auth-context.ts'
import { parseBody } from '../request.ts'
import { findUserById, isBanned } from '../users/user-row.ts'
import { replaceToken } from './rotate-token.ts'
import { readGrant, tokenResponse, type TokenGrant } from './token-response.ts'

const schema = z.object({ refresh_token: z.string().max(255) })

type RefreshResult =
  | { outcome: 'refreshed'; grant: TokenGrant }
  | { outcome: 'unknown' | 'reused' | 'expired' | 'banned' }

/** POST /token?grant_type=refresh_token */
export async function refreshSession(auth: AuthContext, c: Context): Promise<Response> {
  const { refresh_token: token } = await parseBody(c, schema)
  await consumeRefresh(auth, c, token)

  // Return the outcome instead of throwing: deleting a session with a stolen token must be committed.
  const refreshed = await inTransaction(auth.database.owner, (client) =>
    rotate(client, token, auth.settings.refreshReuseSeconds),
  )

  switch (refreshed.outcome) {
    case 'refreshed':
      return c.json(await tokenResponse(auth, refreshed.grant))
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

/**
 * Unknown tokens count separately: otherwise anyone on a mobile network could exhaust the refreshes of its customers, who share an
 * address.
 */
async function consumeRefresh(auth: AuthContext, c: Context, token: string): Promise<void> {
  const { owner } = auth.database
  const { refreshesPerSession, refreshesPerAddress } = auth.settings.limits
  const [session] = await selectValues(owner, asText, [
    'select session_id from auth.refresh_tokens where token = $1 and session_id is not null',
    token,
  ])
  // First: one session must not use up the refreshes of its network.
  if (session)
    await consumeRateLimit(owner, { bucket: 'session refresh', subject: session, limit: refreshesPerSession })
  const bucket = session ? 'refresh' : 'unknown refresh'
  await consumeAddressLimit(auth, c, { bucket, limit: refreshesPerAddress })
}

async function rotate(client: PoolClient, token: string, reuseSeconds: number): Promise<RefreshResult> {
  const session = await lockSession(client, token)
  if (!session) return { outcome: 'unknown' }
  if (session.isOver) return { outcome: 'expired' }
  const user = await findUserById(client, session.userId)
  if (!user) return { outcome: 'unknown' }
  if (isBanned(user)) return { outcome: 'banned' }

  const next = await nextToken(client, { token, session, reuseSeconds })
  if (!next) {
    // Delete the whole session: otherwise the thief's access token stays valid for up to an hour.
    await client.query('delete from auth.sessions where id = $1', [session.id])
    return { outcome: 'reused' }
  }
  await client.query(`update auth.sessions set refreshed_at = now() at time zone 'utc' where id = $1`, [
    session.id,
  ])
  const grant = await readGrant(client, { userId: user.id, sessionId: session.id, refreshToken: next })
  return { outcome: 'refreshed', grant }
}

const lockedSession = z.object({ id: z.string(), userId: z.string(), isOver: z.boolean() })

type LockedSession = z.infer<typeof lockedSession>

/** Serialises concurrent refreshes of a session across processes. */
function lockSession(client: PoolClient, token: string): Promise<LockedSession | null> {
  return findRow(client, lockedSession, [
    `select id, user_id as "userId", coalesce(not_after < now(), false) as "isOver"
     from auth.sessions
     where id = (select session_id from auth.refresh_tokens where token = $1)
     for update`,
    token,
  ])
}

const presentedRow = z.object({
  revoked: z.boolean().nullable(),
  isRecent: z.boolean().nullable(),
  active: z.string().nullable(),
  activeParent: z.string().nullable(),
})

/**
 * Returns the next refresh token, or null when the presented one must have been stolen.
 *
 * A used token is legitimate if the response to its first use was lost (it is then the parent of the active token), or if another tab
 * has just used it. Both cases return the active token, so a session never has two.
 */
async function nextToken(
  client: PoolClient,
  { token, session, reuseSeconds }: { token: string; session: LockedSession; reuseSeconds: number },
): Promise<string | null> {
  // Read after taking the lock: another refresh may have changed the rows meanwhile.
  const presented = await findRow(client, presentedRow, [
    `select t.revoked, clock_timestamp() < t.updated_at + make_interval(secs => $3) as "isRecent",
       active.token as active, active.parent as "activeParent"
     from auth.refresh_tokens t
     left join lateral (
       select token, parent from auth.refresh_tokens where session_id = $2 and not revoked order by id desc limit 1
     ) active on true
     where t.token = $1`,
    token,
    session.id,
    reuseSeconds,
  ])
  if (!presented) return null
  if (!presented.revoked) return replaceToken(client, token, session)

  const isHonest = presented.activeParent === token || presented.isRecent
  return isHonest ? presented.active : null
}
