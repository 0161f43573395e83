import type { Pool, PoolClient } from 'pg'

import { replaceSignUp, takeContestedSignUp } from './replace-sign-up.ts'

/** How the mailbox was verified: the mail whose link or code was used, or who vouched for it. */
type ProofMethod =
  | 'confirmation'
  | 'recovery'
  | 'magic_link'
  | 'invite'
  | 'email_change'
  | 'service'
  | 'operator'

export async function hasProvenMailbox(db: Pool | PoolClient, userId: string): Promise<boolean> {
  const { rowCount } = await db.query('select where auth.has_proven_mailbox($1)', [userId])
  return rowCount === 1
}

interface Proof {
  userId: string
  address: string
  method: ProofMethod
  replacedSignUp?: boolean
}

export async function recordProof(client: PoolClient, proof: Proof): Promise<void> {
  const { userId, address, method, replacedSignUp = false } = proof
  await client.query(
    `insert into auth.mailbox_proofs as p (user_id, email, method, replaced_sign_up) values ($1, lower($2), $3, $4)
     on conflict (user_id, email) do update set method = excluded.method, proven_at = now()`,
    [userId, address, method, replacedSignUp],
  )
}

interface UsedCode {
  userId: string
  /** The mail's recipient. */
  address: string
  /** The `token_type` of the code. */
  type: string
  /** The link's `type`: distinguishes invitation from confirmation and sign-in from recovery. */
  linkType?: string
  /** The account of the caller's live session, if any. */
  signedInAs?: string | null
}

/**
 * Records that the caller reads the mail of `address`. Confirming an address change does not verify the old address: its reader may not
 * be the person who signed up with it.
 *
 * The first proof of an unverified account decides whose it is. A link does not prove that its reader also signed up, so the sign-up is
 * replaced, unless the caller has a live session of the account, or the account was unusable before and had a single sign-up
 * (decision 0024).
 */
export async function proveMailbox(client: PoolClient, used: UsedCode): Promise<void> {
  const { userId, address } = used
  const method = methodOf(used)
  const isProven = await hasProvenMailbox(client, userId)
  if (used.type === 'email_change_token_current' && !isProven && used.signedInAs !== userId) return
  const isContested = await takeContestedSignUp(client, userId)
  const isFirst = method !== 'email_change' && !isProven
  const isOwnSignUp =
    used.signedInAs === userId ||
    (method === 'confirmation' && !isContested && !(await mayAlreadySignIn(client, userId)))
  const replacedSignUp = isFirst && !isOwnSignUp
  if (replacedSignUp) await replaceSignUp(client, userId)
  await recordProof(client, { userId, address, method, replacedSignUp })
}

async function mayAlreadySignIn(client: PoolClient, userId: string): Promise<boolean> {
  const { rowCount } = await client.query(
    'select from auth.users where id = $1 and email_confirmed_at is not null',
    [userId],
  )
  return rowCount === 1
}

function methodOf({ type, linkType }: UsedCode): ProofMethod {
  if (type.startsWith('email_change')) return 'email_change'
  if (type === 'recovery_token') return linkType === 'magiclink' ? 'magic_link' : 'recovery'
  return linkType === 'invite' ? 'invite' : 'confirmation'
}
