import type { PoolClient } from 'pg'

import { AuthError } from '../errors.ts'
import { proveMailbox } from '../mailbox/mailbox-proof.ts'
import type { AuthContext } from '../auth-context.ts'
import { isBanned, loadUser } from '../users/user-row.ts'
import { confirmAddressChange } from './address-change.ts'
import { takeLink, takeTypedCode, type CodeType } from './one-time-codes.ts'

export type LinkType = 'signup' | 'invite' | 'recovery' | 'magiclink' | 'email' | 'email_change'

const CODES: Record<LinkType, CodeType[]> = {
  signup: ['confirmation_token'],
  invite: ['confirmation_token'],
  recovery: ['recovery_token'],
  magiclink: ['recovery_token'],
  email: ['confirmation_token', 'recovery_token'],
  email_change: ['email_change_token_current', 'email_change_token_new'],
}

export type PresentedCode = {
  type: LinkType
  /** The account of the caller's live session, if any. */
  signedInAs?: string | null
} & ({ secret: string } | { address: string; code: string })

export type RedeemResult =
  | { outcome: 'proven'; userId: string; flowId: string | null }
  | { outcome: 'partly confirmed' }
  | { outcome: 'refused' }

/**
 * Consumes a link or code: confirms the account or changes its address. Refusals are returned, not thrown, so that the transaction
 * commits the count of wrong guesses.
 */
export async function redeemCode(
  auth: AuthContext,
  client: PoolClient,
  presented: PresentedCode,
): Promise<RedeemResult> {
  const rules = { types: CODES[presented.type], lifetimeSeconds: auth.settings.codeLifetimeSeconds }
  const code =
    'secret' in presented
      ? await takeLink(client, { ...rules, secret: presented.secret })
      : await takeTypedCode(client, { ...rules, ...presented, key: auth.keys.secret })
  if (!code) return { outcome: 'refused' }
  const { userId, flowId } = code
  if (isBanned(await loadUser(client, userId)))
    throw new AuthError('user_banned', 'User is banned', { status: 403 })
  await proveMailbox(client, { ...code, linkType: presented.type, signedInAs: presented.signedInAs ?? null })

  if (code.type === 'email_change_token_current' || code.type === 'email_change_token_new') {
    if (!(await confirmAddressChange(auth, client, code))) return { outcome: 'partly confirmed' }
  } else {
    await confirmEmail(client, userId)
  }
  return { outcome: 'proven', userId, flowId }
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
