import { randomUUID } from 'node:crypto'
import type { Pool, PoolClient } from 'pg'

import { rememberNetwork } from '../limits/known-networks.ts'
import type { RequestSource } from '../request.ts'
import { newRefreshToken } from './rotate-token.ts'
import { readGrant, type TokenGrant } from './token-response.ts'

/** Values of the `amr` claim. */
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
  | 'recovery_code'

/** Methods that need access to the mailbox. */
const BY_MAIL: AuthMethod[] = ['otp', 'email/signup', 'magiclink', 'recovery', 'invite', 'email_change']

export interface SignIn {
  userId: string
  method: AuthMethod
  source: RequestSource
}

/** Creates a session and its first refresh token. */
export async function openSession(
  client: PoolClient,
  { userId, method, source }: SignIn,
): Promise<TokenGrant> {
  const sessionId = randomUUID()
  await client.query(
    `insert into auth.sessions (id, user_id, aal, user_agent, ip) values ($1, $2, 'aal1', $3, $4::inet)`,
    [sessionId, userId, source.userAgent, source.address],
  )
  if (source.address) await rememberNetwork(client, { userId, address: source.address })
  await recordAuthMethod(client, sessionId, method)
  await client.query('update auth.users set last_sign_in_at = now() where id = $1', [userId])
  await client.query('update auth.identities set last_sign_in_at = now() where user_id = $1', [userId])

  const refreshToken = newRefreshToken()
  await client.query(
    `insert into auth.refresh_tokens (token, user_id, session_id, revoked) values ($1, $2, $3, false)`,
    [refreshToken, userId, sessionId],
  )
  return readGrant(client, { userId, sessionId, refreshToken })
}

export async function recordAuthMethod(
  client: PoolClient,
  sessionId: string,
  method: AuthMethod,
): Promise<void> {
  await client.query(
    `insert into auth.mfa_amr_claims (id, session_id, created_at, updated_at, authentication_method)
     values ($1, $2, now(), now(), $3)
     on conflict (session_id, authentication_method) do update set updated_at = now()`,
    [randomUUID(), sessionId, method],
  )
}

/** Returns whether a mailed link or code opened the session. */
export async function wasOpenedByMail(owner: Pool, sessionId: string): Promise<boolean> {
  const { rowCount } = await owner.query(
    'select from auth.mfa_amr_claims where session_id = $1 and authentication_method = any ($2)',
    [sessionId, BY_MAIL],
  )
  return rowCount !== 0
}
