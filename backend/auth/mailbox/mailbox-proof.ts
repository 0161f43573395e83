import type { Pool, PoolClient } from 'pg'

import { replaceSignUp, takeContest } from './replace-sign-up.ts'

/** How the mailbox was proven: the mail whose link or code was used, or who vouched for it. */
export type ProofMethod =
  | 'confirmation'
  | 'recovery'
  | 'magic_link'
  | 'invite'
  | 'email_change'
  | 'service'
  | 'operator'

export async function hasProvenMailbox(db: Pool | PoolClient, userId: string): Promise<boolean> {
  const { rows } = await db.query<{ isProven: boolean }>('select auth.has_proven_mailbox($1) as "isProven"', [
    userId,
  ])
  return rows[0]?.isProven === true
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
  /** Where the code was mailed to. */
  address: string
  /** The `token_type` of the code. */
  type: string
  /** The `type` of the link, which tells an invitation from a confirmation and a sign-in from a recovery. */
  linkType?: string
  /** The account whose live session the caller shows as well. */
  signedInAs?: string | null
}

/**
 * Records that the account's owner reads the mail of `address`. Agreeing to a change of address does not verify the old one: the
 * reader of a mailbox that a stranger signed up with would else vouch for the stranger's account. The first proof of an account that was never verified decides whose
 * it is. A link alone does not show that its reader also made the sign-up, so everything that the sign-up had set up ends, unless the
 * caller shows a live session of the account, or the account could not be used before and nobody else signed up for it (decision 0024).
 */
export async function proveMailbox(client: PoolClient, used: UsedCode): Promise<void> {
  const { userId, address } = used
  const method = methodOf(used)
  const isProven = await hasProvenMailbox(client, userId)
  if (used.type === 'email_change_token_current' && !isProven && used.signedInAs !== userId) return
  const isContested = await takeContest(client, userId)
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
