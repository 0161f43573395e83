import type { Pool, PoolClient } from 'pg'

export type Metadata = Record<string, unknown>

export interface IdentityRow {
  id: string
  provider_id: string
  user_id: string
  identity_data: Metadata
  provider: string
  last_sign_in_at: string | null
  created_at: string
  updated_at: string
  email: string | null
}

export interface FactorRow {
  id: string
  friendly_name: string | null
  factor_type: 'totp' | 'phone' | 'webauthn'
  status: 'verified' | 'unverified'
  phone: string | null
  created_at: Date | string
  updated_at: Date | string
  last_challenged_at: Date | string | null
}

/** Contains the password's hash: never send it as it is, use `userResponse`. */
export interface UserRow {
  id: string
  aud: string | null
  role: string | null
  email: string | null
  encrypted_password: string | null
  email_confirmed_at: Date | null
  invited_at: Date | null
  phone: string | null
  phone_confirmed_at: Date | null
  confirmation_sent_at: Date | null
  confirmed_at: Date | null
  recovery_sent_at: Date | null
  email_change: string | null
  email_change_sent_at: Date | null
  email_change_confirm_status: number
  phone_change: string | null
  phone_change_sent_at: Date | null
  reauthentication_sent_at: Date | null
  last_sign_in_at: Date | null
  raw_app_meta_data: Metadata | null
  raw_user_meta_data: Metadata | null
  created_at: Date
  updated_at: Date
  banned_until: Date | null
  deleted_at: Date | null
  is_anonymous: boolean
  identities: IdentityRow[]
  factors: FactorRow[]
}

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

export async function findUserById(db: Pool | PoolClient, id: string): Promise<UserRow | null> {
  const { rows } = await db.query<UserRow>(`${USER} where u.id = $1 and u.deleted_at is null`, [id])
  return rows[0] ?? null
}

export async function findUserByEmail(db: Pool | PoolClient, email: string): Promise<UserRow | null> {
  const { rows } = await db.query<UserRow>(
    `${USER} where lower(u.email) = $1 and not u.is_sso_user and u.deleted_at is null`,
    [email],
  )
  return rows[0] ?? null
}

export async function listUsers(db: Pool, page: { limit: number; offset: number }): Promise<UserRow[]> {
  const { rows } = await db.query<UserRow>(
    `${USER} where u.deleted_at is null order by u.created_at desc, u.id limit $1 offset $2`,
    [page.limit, page.offset],
  )
  return rows
}

export async function countUsers(db: Pool): Promise<number> {
  const { rows } = await db.query<{ total: string }>(
    'select count(*) as total from auth.users where deleted_at is null',
  )
  return Number(rows[0]?.total)
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
