import type { PoolClient } from 'pg'

import type { AuthParts } from '../parts.ts'
import { userAnswer, type UserAnswer } from '../users/user-answer.ts'
import { loadUser, type UserRow } from '../users/user-row.ts'

export interface TokenAnswer {
  access_token: string
  token_type: 'bearer'
  expires_in: number
  expires_at: number
  refresh_token: string
  user: UserAnswer
}

/** All that a token says, read in the transaction that grants it. */
export interface Grant {
  user: UserRow
  sessionId: string
  refreshToken: string
  aal: 'aal1' | 'aal2' | 'aal3'
  /** Newest first. */
  amr: { method: string; timestamp: number }[]
}

type Granted = Pick<Grant, 'sessionId' | 'refreshToken'> & { userId: string }

export async function readGrant(client: PoolClient, granted: Granted): Promise<Grant> {
  const { userId, sessionId, refreshToken } = granted
  const { rows } = await client.query<Pick<Grant, 'aal' | 'amr'>>(
    `select coalesce(s.aal, 'aal1') as aal, coalesce((
       select jsonb_agg(
         jsonb_build_object('method', a.authentication_method, 'timestamp', extract(epoch from a.updated_at)::bigint)
         order by a.updated_at desc)
       from auth.mfa_amr_claims a where a.session_id = s.id
     ), '[]') as amr
     from auth.sessions s where s.id = $1`,
    [sessionId],
  )
  if (!rows[0]) throw new Error(`session ${sessionId} vanished within its own transaction`)
  return { ...rows[0], user: await loadUser(client, userId), sessionId, refreshToken }
}

/**
 * A fresh access token with the claims that policies may ask for. To be called after the transaction: signing may need
 * a connection for the key, and waiting for one while holding another is how pools lock up.
 */
export async function tokenAnswer(auth: AuthParts, grant: Grant): Promise<TokenAnswer> {
  const { user, sessionId, refreshToken, aal, amr } = grant
  const lifetime = auth.settings.tokenLifetimeSeconds
  const issuedAt = Math.floor(Date.now() / 1000)
  const accessToken = await auth.signToken({
    iss: `${auth.publicUrl}/auth/v1`,
    sub: user.id,
    aud: user.aud ?? 'authenticated',
    exp: issuedAt + lifetime,
    iat: issuedAt,
    email: user.email ?? '',
    phone: user.phone ?? '',
    app_metadata: user.raw_app_meta_data ?? {},
    user_metadata: user.raw_user_meta_data ?? {},
    role: user.role ?? 'authenticated',
    aal,
    amr,
    session_id: sessionId,
    is_anonymous: user.is_anonymous,
  })
  return {
    access_token: accessToken,
    token_type: 'bearer',
    expires_in: lifetime,
    expires_at: issuedAt + lifetime,
    refresh_token: refreshToken,
    user: userAnswer(user),
  }
}
