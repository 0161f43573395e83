import { randomBytes } from 'node:crypto'
import type { PoolClient } from 'pg'

import { asText, selectValues } from '#backend/database/select-rows.ts'

const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567'
const LENGTH = 24

/** 120 random bits. */
export function newRefreshToken(): string {
  return Array.from(randomBytes(LENGTH), (byte) => BASE32[byte % BASE32.length]).join('')
}

export interface SessionOfToken {
  id: string
  userId: string
}

/** Replaces `token` with a new active token and stores it as the new one's parent. */
export async function replaceToken(
  client: PoolClient,
  token: string,
  session: SessionOfToken,
): Promise<string> {
  const next = newRefreshToken()
  await client.query(
    'update auth.refresh_tokens set revoked = true, updated_at = clock_timestamp() where token = $1',
    [token],
  )
  await client.query(
    `insert into auth.refresh_tokens (token, parent, user_id, session_id, revoked) values ($1, $2, $3, $4, false)`,
    [next, token, session.userId, session.id],
  )
  return next
}

/** Rotates the session's active token, for calls that do not present the old one. */
export async function nextTokenOfSession(client: PoolClient, session: SessionOfToken): Promise<string> {
  await client.query('select from auth.sessions where id = $1 for update', [session.id])
  const [active = ''] = await selectValues(client, asText, [
    'select token from auth.refresh_tokens where session_id = $1 and not revoked order by id desc limit 1',
    session.id,
  ])
  return replaceToken(client, active, session)
}
