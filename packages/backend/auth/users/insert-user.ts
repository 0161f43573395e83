import { randomUUID } from 'node:crypto'
import { DatabaseError, type PoolClient } from 'pg'

import { jsonObject, selectValues } from '#backend/database/select-rows.ts'
import { AuthError } from '../errors.ts'
import { loadUser, type Metadata, type UserRow } from './user-row.ts'

export interface NewUser {
  id?: string
  email: string
  passwordHash: string | null
  isConfirmed: boolean
  userMetadata: Metadata
  appMetadata?: Metadata
  isInvited?: boolean
  /** Created by the user's own sign-up: GoTrue then repeats the identity in the metadata. */
  isSelfRegistered?: boolean
}

/**
 * Inserts account and identity in the caller's transaction. The application's triggers run in it too, so a failing one also prevents
 * the account.
 */
export async function insertUser(client: PoolClient, user: NewUser): Promise<UserRow> {
  const id = user.id ?? randomUUID()
  const identity = {
    sub: id,
    email: user.email,
    email_verified: user.isConfirmed,
    phone_verified: false,
  }
  try {
    await client.query(
      `insert into auth.users (
         instance_id, id, aud, role, email, encrypted_password, email_confirmed_at, invited_at,
         raw_app_meta_data, raw_user_meta_data
       ) values (
         '00000000-0000-0000-0000-000000000000', $1, 'authenticated', 'authenticated', $2, $3,
         case when $4 then now() end, case when $5 then now() end, $6, $7
       )`,
      [
        id,
        user.email,
        user.passwordHash,
        user.isConfirmed,
        user.isInvited ?? false,
        { ...user.appMetadata, provider: 'email', providers: ['email'] },
        {
          ...user.userMetadata,
          ...(user.isSelfRegistered ? identity : user.isConfirmed && { email_verified: true }),
        },
      ],
    )
    await client.query(
      `insert into auth.identities (provider_id, user_id, identity_data, provider, last_sign_in_at)
       values ($1::text, $1::uuid, $2, 'email', now())`,
      [id, { ...user.userMetadata, ...identity }],
    )
  } catch (error) {
    if (isAddressTaken(error)) throw alreadyRegistered(error)
    throw new AuthError('unexpected_failure', 'Database error saving new user', { cause: error })
  }
  return loadUser(client, id)
}

export function alreadyRegistered(cause?: unknown): AuthError {
  return new AuthError('user_already_exists', 'User already registered', { cause })
}

/** Sets a verified address. Throws `email_exists`. */
export async function changeAddress(client: PoolClient, userId: string, email: string): Promise<void> {
  try {
    await client.query(
      `update auth.users set email = $2::text, email_change = '', email_change_confirm_status = 0,
         email_confirmed_at = now(), updated_at = now(),
         raw_user_meta_data = coalesce(raw_user_meta_data, '{}') || jsonb_build_object('email', $2::text, 'email_verified', true)
       where id = $1`,
      [userId, email],
    )
  } catch (cause) {
    if (!isAddressTaken(cause)) throw cause
    throw new AuthError('email_exists', 'A user with this email address has already been registered', {
      cause,
    })
  }
  await client.query(
    `update auth.identities set updated_at = now(),
       identity_data = identity_data || jsonb_build_object('email', $2::text, 'email_verified', true)
     where user_id = $1 and provider = 'email'`,
    [userId, email],
  )
}

/** Merges members into an account's metadata; null removes one. Returns the result. */
export async function mergeMetadata(
  client: PoolClient,
  userId: string,
  { column, members }: { column: 'raw_user_meta_data' | 'raw_app_meta_data'; members: Metadata },
): Promise<Metadata> {
  const [merged = {}] = await selectValues(client, jsonObject, [
    `update auth.users set updated_at = now(), ${column} = (
       select coalesce(jsonb_object_agg(key, value), '{}')
       from jsonb_each(coalesce(${column}, '{}') || $2) where value <> 'null')
     where id = $1 returning ${column}`,
    userId,
    members,
  ])
  return merged
}

/** Checks the constraint's name, because the application's triggers may violate other unique constraints. */
function isAddressTaken(error: unknown): boolean {
  return (
    error instanceof DatabaseError && error.code === '23505' && error.constraint === 'users_email_partial_key'
  )
}
