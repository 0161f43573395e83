import type { Pool, PoolClient } from 'pg'
import { z } from 'zod'

import { asNumber, findRow, jsonObject, selectRows, selectValue } from '#backend/database/select-rows.ts'

export type Metadata = z.infer<typeof jsonObject>

const text = z.string().nullable()
const time = z.date().nullable()
/** A timestamp in a column, or as text inside JSON. */
const timeOrText = z.union([z.date(), z.string()]).nullable()

const identityRow = z.object({
  id: z.string(),
  provider_id: z.string(),
  user_id: z.string(),
  identity_data: jsonObject,
  provider: z.string(),
  last_sign_in_at: timeOrText,
  created_at: timeOrText,
  updated_at: timeOrText,
  email: text,
})

export const factorRow = z.object({
  id: z.string(),
  friendly_name: text,
  factor_type: z.enum(['totp', 'phone', 'webauthn']),
  status: z.enum(['verified', 'unverified']),
  phone: text,
  created_at: timeOrText,
  updated_at: timeOrText,
  last_challenged_at: timeOrText,
})

const userRow = z.object({
  id: z.string(),
  aud: text,
  role: text,
  email: text,
  encrypted_password: text,
  email_confirmed_at: time,
  invited_at: time,
  phone: text,
  phone_confirmed_at: time,
  confirmation_sent_at: time,
  confirmed_at: time,
  recovery_sent_at: time,
  email_change: text,
  email_change_sent_at: time,
  phone_change: text,
  phone_change_sent_at: time,
  reauthentication_sent_at: time,
  last_sign_in_at: time,
  raw_app_meta_data: jsonObject.nullable(),
  raw_user_meta_data: jsonObject.nullable(),
  created_at: time,
  updated_at: time,
  banned_until: time,
  deleted_at: time,
  is_anonymous: z.boolean(),
  identities: z.array(identityRow),
  factors: z.array(factorRow),
})

export type IdentityRow = z.infer<typeof identityRow>
export type FactorRow = z.infer<typeof factorRow>
/** Contains the password's hash: never send it as it is, use `userResponse`. */
export type UserRow = z.infer<typeof userRow>

const USER = `
  select u.*,
    coalesce((
      select jsonb_agg(to_jsonb(i) order by i.created_at) from auth.identities i where i.user_id = u.id
    ), '[]') as identities,
    coalesce((
      select jsonb_agg(
        to_jsonb(f) - '{secret,web_authn_credential,web_authn_aaguid,last_webauthn_challenge_data}'::text[]
        order by f.created_at)
      from auth.mfa_factors f where f.user_id = u.id
    ), '[]') as factors
  from auth.users u`

export function findUserById(db: Pool | PoolClient, id: string): Promise<UserRow | null> {
  return findRow(db, userRow, [`${USER} where u.id = $1 and u.deleted_at is null`, id])
}

export function findUserByEmail(db: Pool | PoolClient, email: string): Promise<UserRow | null> {
  return findRow(db, userRow, [
    `${USER} where lower(u.email) = $1 and not u.is_sso_user and u.deleted_at is null`,
    email,
  ])
}

export function listUsers(db: Pool, page: { limit: number; offset: number }): Promise<UserRow[]> {
  return selectRows(db, userRow, [
    `${USER} where u.deleted_at is null order by u.created_at desc, u.id limit $1 offset $2`,
    page.limit,
    page.offset,
  ])
}

export function countUsers(db: Pool): Promise<number> {
  return selectValue(db, asNumber, ['select count(*)::float8 from auth.users where deleted_at is null'])
}

export async function loadUser(db: Pool | PoolClient, id: string): Promise<UserRow> {
  const user = await findUserById(db, id)
  if (!user) throw new Error(`account ${id} vanished within its own transaction`)
  return user
}

export function isBanned(user: UserRow): boolean {
  return user.banned_until !== null && user.banned_until.getTime() > Date.now()
}

export function verifiedFactors(user: UserRow): FactorRow[] {
  return user.factors.filter((factor) => factor.status === 'verified')
}
