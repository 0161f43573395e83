import type { PoolClient } from 'pg'
import { z } from 'zod'

import { selectRow } from '#backend/database/select-rows.ts'
import type { AuthContext } from '../auth-context.ts'
import { userResponse, type UserResponse } from '../users/user-response.ts'
import { loadUser, type UserRow } from '../users/user-row.ts'

export interface TokenResponse {
  access_token: string
  token_type: 'bearer'
  expires_in: number
  expires_at: number
  refresh_token: string
  user: UserResponse
}

const assuranceRow = z.object({
  aal: z.enum(['aal1', 'aal2', 'aal3']),
  /** Newest first. */
  amr: z.array(z.object({ method: z.string(), timestamp: z.number() })),
})

/** The content of a token, read in the transaction that grants it. */
export interface TokenGrant extends z.infer<typeof assuranceRow> {
  user: UserRow
  sessionId: string
  refreshToken: string
}

type GrantKey = Pick<TokenGrant, 'sessionId' | 'refreshToken'> & { userId: string }

export async function readGrant(client: PoolClient, key: GrantKey): Promise<TokenGrant> {
  const { userId, sessionId, refreshToken } = key
  const assurance = await selectRow(client, assuranceRow, [
    `select coalesce(s.aal, 'aal1') as aal, coalesce((
       select jsonb_agg(
         jsonb_build_object('method', a.authentication_method, 'timestamp', extract(epoch from a.updated_at)::bigint)
         order by a.updated_at desc, a.created_at desc)
       from auth.mfa_amr_claims a where a.session_id = s.id
     ), '[]') as amr
     from auth.sessions s where s.id = $1`,
    sessionId,
  ])
  return { ...assurance, user: await loadUser(client, userId), sessionId, refreshToken }
}

/**
 * Signs an access token. Call it after the transaction: signing may need a connection for the key, and waiting for one while holding
 * another can deadlock the pool.
 */
export async function tokenResponse(auth: AuthContext, grant: TokenGrant): Promise<TokenResponse> {
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
    user: userResponse(user),
  }
}
