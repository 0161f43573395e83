import { randomBytes } from 'node:crypto'
import { createClient } from '@supabase/supabase-js'
import type { Pool } from 'pg'
import type { ShopParts } from './api.ts'
import type { Shop } from './app.ts'

export interface FirstAdmin {
  email: string
  password: string
}

/**
 * A shop that nobody may run gets somebody who may, with a password made up here and kept nowhere.
 * Answers null when there is an admin already.
 */
export async function createFirstAdmin(parts: ShopParts, shop: Shop): Promise<FirstAdmin | null> {
  const { database, settings, keys } = parts
  if (await hasAdmin(database.owner)) return null

  const email = settings.adminEmail
  const password = randomBytes(15).toString('base64url')
  const service = createClient(settings.publicUrl, keys.secret, {
    auth: { persistSession: false, autoRefreshToken: false },
    global: { fetch: async (input, init) => shop.fetch(new Request(input, init)) },
  })
  const { error } = await service.auth.signUp({ email, password })
  if (error) throw new Error(`the first admin's account cannot be made: ${error.message}`, { cause: error })

  await grantAdmin(database.owner, email)
  return { email, password }
}

/** Answers false when nobody has signed up with that address. */
export async function grantAdmin(owner: Pool, email: string): Promise<boolean> {
  const { rowCount } = await owner.query(
    `with person as (select id from auth.users where email = lower($1)),
       granted as (
         insert into public.user_roles (user_id, role) select id, 'admin' from person
         on conflict (user_id, role) do nothing
       )
     select from person`,
    [email],
  )
  return rowCount === 1
}

/** Answers false when that address is no admin's. */
export async function revokeAdmin(owner: Pool, email: string): Promise<boolean> {
  const { rowCount } = await owner.query(
    `delete from public.user_roles
     where role = 'admin' and user_id = (select id from auth.users where email = lower($1))`,
    [email],
  )
  return rowCount === 1
}

async function hasAdmin(owner: Pool): Promise<boolean> {
  const { rowCount } = await owner.query(`select from public.user_roles where role = 'admin' limit 1`)
  return rowCount === 1
}
