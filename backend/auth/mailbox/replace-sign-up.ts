import type { PoolClient } from 'pg'

import { isPassword } from '../passwords/hash-password.ts'
import type { Metadata } from '../users/user-row.ts'

export interface PendingSignUp {
  passwordHash: string | null
  userMetadata: Metadata
}

interface SignUpToKeep extends PendingSignUp {
  userId: string
  password: string
}

/**
 * Keeps the sign-up until its mailed link is used. When two sign-ups with different passwords wait, the link cannot tell whose it
 * is: then neither password counts, and the reader of the mailbox chooses one.
 */
export async function keepPendingSignUp(client: PoolClient, signUp: SignUpToKeep): Promise<void> {
  const { userId, password, passwordHash, userMetadata } = signUp
  await client.query('select from auth.users where id = $1 for update', [userId])
  const waiting = await takePendingSignUp(client, userId)
  const isContested = waiting !== null && !(await isPassword(password, waiting.passwordHash))
  await client.query(
    'insert into auth.pending_sign_ups (user_id, encrypted_password, raw_user_meta_data) values ($1, $2, $3)',
    [userId, isContested ? null : passwordHash, userMetadata],
  )
}

export async function takePendingSignUp(client: PoolClient, userId: string): Promise<PendingSignUp | null> {
  const { rows } = await client.query<PendingSignUp>(
    `delete from auth.pending_sign_ups where user_id = $1
     returning encrypted_password as "passwordHash", raw_user_meta_data as "userMetadata"`,
    [userId],
  )
  return rows[0] ?? null
}

/** What an unverified sign-up may have set up to stay in, or to get back in. */
const ENDED = [
  'auth.sessions where user_id = $1',
  'auth.mfa_factors where user_id = $1',
  'auth.recovery_codes where user_id = $1',
  'auth.one_time_tokens where user_id = $1',
  // One that waits for a link may be that of the link which was just used.
  'auth.flow_state where user_id = $1 and auth_code_issued_at is not null',
]

/**
 * Makes the account over for the reader of its mailbox: password and metadata are those of `signUp`, or none. Sessions, second
 * factors, recovery codes, mailed codes and a pending change of address end. The application clears its own tables when the proof
 * with `replaced_sign_up` is recorded.
 */
export async function replaceSignUp(
  client: PoolClient,
  userId: string,
  signUp: PendingSignUp | null,
): Promise<void> {
  for (const ended of ENDED) await client.query(`delete from ${ended}`, [userId])
  await client.query(
    `update auth.users set encrypted_password = $2, updated_at = now(),
       email_change = '', email_change_confirm_status = 0, phone = null, phone_confirmed_at = null,
       raw_user_meta_data = $3::jsonb || jsonb_build_object('sub', id, 'email', email, 'email_verified', true, 'phone_verified', false)
     where id = $1`,
    [userId, signUp?.passwordHash ?? null, signUp?.userMetadata ?? {}],
  )
  await client.query(
    `update auth.identities set updated_at = now(), identity_data = $2::jsonb
       || jsonb_build_object('sub', user_id, 'email', identity_data ->> 'email', 'email_verified', true, 'phone_verified', false)
     where user_id = $1 and provider = 'email'`,
    [userId, signUp?.userMetadata ?? {}],
  )
}
