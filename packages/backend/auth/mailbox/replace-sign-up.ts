import type { PoolClient } from 'pg'

import { asText, selectValues } from '#backend/database/select-rows.ts'
import { isPassword } from '../passwords/hash-password.ts'

const passwordHash = asText.nullable()

/**
 * Records a second sign-up for an unverified account with a different password. The first proof of the mailbox then discards both,
 * because its reader cannot know which sign-up the link belongs to.
 */
export async function recordSecondSignUp(
  client: PoolClient,
  userId: string,
  password: string,
): Promise<void> {
  const [hash = null] = await selectValues(client, passwordHash, [
    'select encrypted_password from auth.users where id = $1 for update',
    userId,
  ])
  if (await isPassword(password, hash)) return
  await client.query('insert into auth.contested_sign_ups (user_id) values ($1) on conflict do nothing', [
    userId,
  ])
}

/** Returns whether a second sign-up was recorded, and deletes the record. */
export async function takeContestedSignUp(client: PoolClient, userId: string): Promise<boolean> {
  const { rowCount } = await client.query('delete from auth.contested_sign_ups where user_id = $1', [userId])
  return rowCount === 1
}

/** Everything with which an unverified sign-up could keep or regain access. */
const ENDED = [
  'auth.sessions where user_id = $1',
  'auth.mfa_factors where user_id = $1',
  'auth.recovery_codes where user_id = $1',
  'auth.one_time_tokens where user_id = $1',
  // A flow without an issued code may belong to the link that was just used.
  'auth.flow_state where user_id = $1 and auth_code_issued_at is not null',
]

/**
 * Hands the account to the reader of its mailbox, who must choose a new password (`needs_password` in `app_metadata`). Removes password,
 * metadata, sessions, second factors, recovery codes, mailed codes and a pending address change. The application clears its own tables
 * when the proof with `replaced_sign_up` is inserted.
 */
export async function replaceSignUp(client: PoolClient, userId: string): Promise<void> {
  for (const ended of ENDED) await client.query(`delete from ${ended}`, [userId])
  await client.query(
    `update auth.users set encrypted_password = null, updated_at = now(),
       email_change = '', email_change_confirm_status = 0, phone = null, phone_confirmed_at = null,
       raw_app_meta_data = coalesce(raw_app_meta_data, '{}') || '{"needs_password": true}',
       raw_user_meta_data = jsonb_build_object('sub', id, 'email', email, 'email_verified', true, 'phone_verified', false)
     where id = $1`,
    [userId],
  )
  await client.query(
    `update auth.identities set updated_at = now(), identity_data = jsonb_build_object(
       'sub', user_id, 'email', identity_data ->> 'email', 'email_verified', true, 'phone_verified', false)
     where user_id = $1 and provider = 'email'`,
    [userId],
  )
}
