import type { PoolClient } from 'pg'

import { cancelPending } from '../codes/one-time-codes.ts'

interface NewPassword {
  userId: string
  passwordHash: string
  /** The session that changes the password goes on; left out, none does. */
  keepSession?: string
}

/**
 * Every change of a password goes through here. An intruder may have known the old one: all other sessions end, and what was
 * mailed or begun before becomes worthless.
 */
export async function setPassword(
  client: PoolClient,
  { userId, passwordHash, keepSession }: NewPassword,
): Promise<void> {
  await client.query(
    `update auth.users set encrypted_password = $2, raw_app_meta_data = raw_app_meta_data - 'needs_password', updated_at = now()
     where id = $1`,
    [userId, passwordHash],
  )
  // Before the sessions: a link or flow that is being redeemed right now has opened its session by then.
  await cancelPending(client, userId)
  await client.query('delete from auth.sessions where user_id = $1 and id is distinct from $2::uuid', [
    userId,
    keepSession ?? null,
  ])
}
