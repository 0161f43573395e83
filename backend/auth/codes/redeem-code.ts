import type { PoolClient } from 'pg'

import { AuthError } from '../errors.ts'
import type { AuthParts } from '../parts.ts'
import { changeAddress } from '../users/insert-user.ts'
import { isBanned, loadUser } from '../users/user-row.ts'
import { hashCode, takeCode, type CodeType, type FoundCode } from './one-time-codes.ts'

export type LinkType = 'signup' | 'invite' | 'recovery' | 'magiclink' | 'email' | 'email_change'

const CODES: Record<LinkType, CodeType[]> = {
  signup: ['confirmation_token'],
  invite: ['confirmation_token'],
  recovery: ['recovery_token'],
  magiclink: ['recovery_token'],
  email: ['confirmation_token', 'recovery_token'],
  email_change: ['email_change_token_current', 'email_change_token_new'],
}

export type Presented = { type: LinkType } & ({ hash: string } | { address: string; code: string })

export type Redeemed =
  | { outcome: 'proven'; userId: string; isForVerifier: boolean }
  | { outcome: 'half done' }
  | { outcome: 'refused' }

/** Whoever has the code reads the mail: the account is confirmed, or its address changed. */
export async function redeemCode(
  auth: AuthParts,
  client: PoolClient,
  presented: Presented,
): Promise<Redeemed> {
  const hash =
    'hash' in presented ? presented.hash.replace(/^pkce_/, '') : hashCode(presented.address, presented.code)
  const code = await takeCode(client, {
    hash,
    types: CODES[presented.type],
    lifetimeSeconds: auth.settings.codeLifetimeSeconds,
  })
  if (!code) return { outcome: 'refused' }
  const { userId, isForVerifier } = code
  if (isBanned(await loadUser(client, userId)))
    throw new AuthError('user_banned', 'User is banned', { status: 403 })

  if (code.type === 'email_change_token_current' || code.type === 'email_change_token_new') {
    if (!(await changeEmail(auth, client, code))) return { outcome: 'half done' }
  } else {
    await confirmEmail(client, userId)
  }
  return { outcome: 'proven', userId, isForVerifier }
}

export async function confirmEmail(client: PoolClient, userId: string): Promise<void> {
  await client.query(
    `update auth.users set email_confirmed_at = now(), updated_at = now(),
       raw_user_meta_data = raw_user_meta_data || '{"email_verified": true}'
     where id = $1 and email_confirmed_at is null`,
    [userId],
  )
  await client.query(
    `update auth.identities set identity_data = identity_data || '{"email_verified": true}', updated_at = now()
     where user_id = $1 and provider = 'email'`,
    [userId],
  )
}

/** True once every address that has to agree has agreed. */
async function changeEmail(auth: AuthParts, client: PoolClient, code: FoundCode): Promise<boolean> {
  const { rows } = await client.query<{ status: number }>(
    `update auth.users set email_change_confirm_status = email_change_confirm_status + 1, updated_at = now()
     where id = $1 and coalesce(email_change, '') <> '' and email_change_confirm_status < 2
     returning email_change_confirm_status as status`,
    [code.userId],
  )
  const needed = auth.settings.isEmailChangeConfirmedTwice ? 2 : 1
  const isEnough = (rows[0]?.status ?? 0) >= needed || (await isOnlyHalf(client, code))
  if (!isEnough) return false
  await applyEmailChange(client, code.userId)
  return true
}

/** An account that had no address is only asked at the new one. */
async function isOnlyHalf(client: PoolClient, code: FoundCode): Promise<boolean> {
  if (code.type !== 'email_change_token_new') return false
  const { rowCount } = await client.query(
    `select from auth.one_time_tokens where user_id = $1 and token_type = 'email_change_token_current'`,
    [code.userId],
  )
  return rowCount === 0
}

export async function applyEmailChange(client: PoolClient, userId: string): Promise<void> {
  const { email_change: wanted } = await loadUser(client, userId)
  if (!wanted) return
  await changeAddress(client, userId, wanted)
  await client.query(
    `delete from auth.one_time_tokens where user_id = $1 and token_type like 'email_change_token_%'`,
    [userId],
  )
}
