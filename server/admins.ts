import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { ClientBase, Pool, PoolClient } from 'pg'
import { createUser, inTransaction, selectRows } from '@saltfreak/backend'

/** The first admin's name until the account's details have one. */
const FIRST_NAME = 'Shop owner'

export interface FirstAdmin {
  email: string
  password: string
}

/**
 * Creates an admin with a random password, of which the database stores a hash only. Returns null when an admin, or an account with
 * that address, exists. `save` runs before the account exists: otherwise a crash could leave an admin with an unknown password.
 * Account and role are one transaction: an account without the role would prevent the first admin for good.
 */
export async function createFirstAdmin(
  owner: Pool,
  email: string,
  save: (admin: FirstAdmin) => Promise<void> = async () => {},
): Promise<FirstAdmin | null> {
  return inTransaction(owner, async (client) => {
    // Processes that start at once on a new database take turns.
    await client.query(`select pg_advisory_xact_lock(hashtext('first admin'))`)
    return createUnlessExists(client, email, save)
  })
}

async function createUnlessExists(
  client: PoolClient,
  email: string,
  save: (admin: FirstAdmin) => Promise<void>,
): Promise<FirstAdmin | null> {
  const { rowCount } = await client.query(
    `select from public.user_roles where role = 'admin'
     union all select from auth.users where email = lower($1)`,
    [email],
  )
  if (rowCount) return null

  const password = randomBytes(15).toString('base64url')
  await save({ email, password })
  await createUser(client, { email, password, userMetadata: { full_name: FIRST_NAME } })
  await grantStaffRole(client, email, 'admin')
  return { email, password }
}

/** Admins may do everything; packers work on orders, photos and messages (decision 0021). */
export type StaffRole = 'admin' | 'packer'

export type RoleGrant = 'granted' | 'unknown' | 'unverified'

const accountRow = z.object({ id: z.string(), isVerified: z.boolean() })

/**
 * Grants the role and revokes the other one. Refuses an account with an unverified e-mail address: it may belong to
 * someone else.
 */
export async function grantStaffRole(
  owner: Pool | ClientBase,
  email: string,
  role: StaffRole,
): Promise<RoleGrant> {
  const [account] = await selectRows(owner, accountRow, [
    `select id, private.has_verified_mailbox(id) as "isVerified" from auth.users
     where lower(email) = lower(btrim($1)) and deleted_at is null`,
    email,
  ])
  if (!account) return 'unknown'
  if (!account.isVerified) return 'unverified'
  await owner.query(
    `with former as (
       delete from public.user_roles where user_id = $1 and role in ('admin', 'packer') and role <> $2
     )
     insert into public.user_roles (user_id, role) values ($1, $2) on conflict (user_id, role) do nothing`,
    [account.id, role],
  )
  return 'granted'
}

/** Returns false when the account has no staff role. */
export async function revokeStaffRole(owner: Pool, email: string): Promise<boolean> {
  const { rowCount } = await owner.query(
    `delete from public.user_roles
     where role in ('admin', 'packer') and user_id = (select id from auth.users where email = lower($1))`,
    [email],
  )
  return rowCount === 1
}

/** Lets admins back in when all have lost their second factor. */
export async function makeSecondFactorOptional(owner: Pool): Promise<void> {
  await owner.query('update public.shop_settings set requires_second_factor = false')
}
