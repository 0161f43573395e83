import type { PoolClient } from 'pg'

import { cancelPending } from '../codes/one-time-codes.ts'

interface NewPassword {
  userId: string
  passwordHash: string
  /** The caller's session, which stays valid; omit to end all. */
  keepSession?: string
}

/**
 * The only function that changes passwords. Ends all other sessions and revokes pending codes, because an intruder may have known the
 * old password.
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
  // Before the sessions: a link or flow that is being redeemed concurrently has then opened its session, which is deleted below.
  await cancelPending(client, userId)
  await client.query('delete from auth.sessions where user_id = $1 and id is distinct from $2::uuid', [
    userId,
    keepSession ?? null,
  ])
}
