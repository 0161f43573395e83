import type { PoolClient } from 'pg'

import type { AuthParts } from '../parts.ts'
import { userAnswer, type UserAnswer } from '../users/user-answer.ts'
import type { UserRow } from '../users/user-row.ts'

export interface TokenAnswer {
  access_token: string
  token_type: 'bearer'
  expires_in: number
  expires_at: number
  refresh_token: string
  user: UserAnswer
}

interface Grant {
  user: UserRow
  sessionId: string
  refreshToken: string
}

/** A fresh access token for a session, with the claims policies may ask for. */
export async function tokenAnswer(auth: AuthParts, client: PoolClient, grant: Grant): Promise<TokenAnswer> {
  const { user, sessionId, refreshToken } = grant
  const { aal, amr } = await loadAssurance(client, sessionId)
  const issuedAt = Math.floor(Date.now() / 1000)
  const expiresAt = issuedAt + auth.settings.tokenLifetimeSeconds
  const accessToken = await auth.signToken({
    iss: `${auth.publicUrl}/auth/v1`,
    sub: user.id,
    aud: user.aud ?? 'authenticated',
    exp: expiresAt,
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
    expires_in: auth.settings.tokenLifetimeSeconds,
    expires_at: expiresAt,
    refresh_token: refreshToken,
    user: userAnswer(user),
  }
}

interface Assurance {
  aal: 'aal1' | 'aal2' | 'aal3'
  /** Newest first. */
  amr: { method: string; timestamp: number }[]
}

async function loadAssurance(client: PoolClient, sessionId: string): Promise<Assurance> {
  const { rows } = await client.query<Assurance>(
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
  return rows[0]
}
