import { randomUUID } from 'node:crypto'
import type { PoolClient } from 'pg'

import type { AuthParts } from '../parts.ts'
import type { Origin } from '../request.ts'
import { loadUser, type UserRow } from '../users/user-row.ts'
import { newRefreshToken } from './refresh-token.ts'
import { tokenAnswer, type TokenAnswer } from './token-answer.ts'

/** How somebody proved who they are, for the `amr` claim. */
export type AuthMethod =
  | 'password'
  | 'otp'
  | 'email/signup'
  | 'magiclink'
  | 'recovery'
  | 'invite'
  | 'email_change'
  | 'anonymous'
  | 'totp'
  | 'mfa/phone'
  | 'mfa/webauthn'

export interface Proof {
  method: AuthMethod
  origin: Origin
}

/** A sign-in: a session, its first refresh token and the first access token. */
export async function openSession(
  auth: AuthParts,
  client: PoolClient,
  { user, method, origin }: Proof & { user: Pick<UserRow, 'id'> },
): Promise<TokenAnswer> {
  const sessionId = randomUUID()
  await client.query(
    `insert into auth.sessions (id, user_id, aal, user_agent, ip) values ($1, $2, 'aal1', $3, $4::inet)`,
    [sessionId, user.id, origin.userAgent, origin.address],
  )
  await addProof(client, sessionId, method)
  await client.query('update auth.users set last_sign_in_at = now() where id = $1', [user.id])
  await client.query('update auth.identities set last_sign_in_at = now() where user_id = $1', [user.id])

  const refreshToken = newRefreshToken()
  await client.query(
    `insert into auth.refresh_tokens (token, user_id, session_id, revoked) values ($1, $2, $3, false)`,
    [refreshToken, user.id, sessionId],
  )
  return tokenAnswer(auth, client, { user: await loadUser(client, user.id), sessionId, refreshToken })
}

export async function addProof(client: PoolClient, sessionId: string, method: AuthMethod): Promise<void> {
  await client.query(
    `insert into auth.mfa_amr_claims (id, session_id, created_at, updated_at, authentication_method)
     values ($1, $2, now(), now(), $3)
     on conflict (session_id, authentication_method) do update set updated_at = now()`,
    [randomUUID(), sessionId, method],
  )
}
