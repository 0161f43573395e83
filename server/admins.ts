import { randomBytes } from 'node:crypto'
import type { Pool } from 'pg'
import { createUser } from '#backend/auth/create-user.ts'

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
  await createUser(owner, { email, password })
  await employ(owner, email, 'admin')
  return { email, password }
}

/** An admin may do everything there is, a helper works on orders, photos and messages (decision 0021). */
export type StaffRole = 'admin' | 'helper'

/** Whoever had the other role has this one from now on. Answers false when nobody has signed up with that address. */
export async function employ(owner: Pool, email: string, role: StaffRole): Promise<boolean> {
  const { rowCount } = await owner.query(
    `with person as (select id from auth.users where email = lower($1)),
       former as (
         delete from public.user_roles r using person
         where r.user_id = person.id and r.role in ('admin', 'helper') and r.role <> $2
       ),
       granted as (
         insert into public.user_roles (user_id, role) select id, $2 from person
         on conflict (user_id, role) do nothing
       )
     select from person`,
    [email, role],
  )
  return rowCount === 1
}

/** Answers false when that address is nobody's who works here. */
export async function dismiss(owner: Pool, email: string): Promise<boolean> {
  const { rowCount } = await owner.query(
    `delete from public.user_roles
     where role in ('admin', 'helper') and user_id = (select id from auth.users where email = lower($1))`,
    [email],
  )
  return rowCount === 1
}

/** The way back in when no admin can show a second step any more. */
export async function allowOneFactor(owner: Pool): Promise<void> {
  await owner.query('update public.shop_settings set requires_second_factor = false')
}
