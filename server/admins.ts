import { randomBytes } from 'node:crypto'
import type { Pool } from 'pg'
import { createUser } from '#backend/auth/create-user.ts'

/** What the history calls the first admin until a name is set in the account's details. */
const FIRST_NAME = 'Shop owner'

export interface FirstAdmin {
  email: string
  password: string
}

/**
 * A shop that nobody may run gets somebody who may, with a password made up here and kept nowhere.
 * Answers null when there is an admin already, or an account with that address: it is its owner's.
 */
export async function createFirstAdmin(owner: Pool, email: string): Promise<FirstAdmin | null> {
  const { rowCount } = await owner.query(
    `select from public.user_roles where role = 'admin'
     union all select from auth.users where email = lower($1)`,
    [email],
  )
  if (rowCount) return null

  const password = randomBytes(15).toString('base64url')
  await createUser(owner, { email, password, userMetadata: { full_name: FIRST_NAME } })
  await employ(owner, email, 'admin')
  return { email, password }
}

/** An admin may do everything there is, a packer works on orders, photos and messages (decision 0021). */
export type StaffRole = 'admin' | 'packer'

export type Employment = 'employed' | 'unknown' | 'unverified'

/**
 * Gives the role in the place of the other one. An account that has not proven its mailbox gets none: anybody may have signed up with
 * that address.
 */
export async function employ(owner: Pool, email: string, role: StaffRole): Promise<Employment> {
  const { rows } = await owner.query<{ id: string; isVerified: boolean }>(
    `select id, private.has_verified_mailbox(id) as "isVerified" from auth.users
     where lower(email) = lower(btrim($1)) and deleted_at is null`,
    [email],
  )
  const [person] = rows
  if (!person) return 'unknown'
  if (!person.isVerified) return 'unverified'
  await owner.query(
    `with former as (
       delete from public.user_roles where user_id = $1 and role in ('admin', 'packer') and role <> $2
     )
     insert into public.user_roles (user_id, role) values ($1, $2) on conflict (user_id, role) do nothing`,
    [person.id, role],
  )
  return 'employed'
}

/** Answers false when that address is nobody's who works here. */
export async function dismiss(owner: Pool, email: string): Promise<boolean> {
  const { rowCount } = await owner.query(
    `delete from public.user_roles
     where role in ('admin', 'packer') and user_id = (select id from auth.users where email = lower($1))`,
    [email],
  )
  return rowCount === 1
}

/** The way back in when no admin can show a second step any more. */
export async function allowOneFactor(owner: Pool): Promise<void> {
  await owner.query('update public.shop_settings set requires_second_factor = false')
}
