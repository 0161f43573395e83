import type { Pool, PoolClient } from 'pg'

import { replaceSignUp, takePendingSignUp } from './replace-sign-up.ts'

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
}

/**
 * Records that the account's owner reads the mail of `address`. The first proof of an account that was never verified decides whose
 * it is: the sign-up whose own link was used, or, by a recovery, a sign-in link or an invitation, the reader of the mailbox alone.
 * Then everything that an earlier sign-up had set up ends (decision 0024).
 */
export async function proveMailbox(client: PoolClient, used: UsedCode): Promise<void> {
  const method = methodOf(used)
  const pending = await takePendingSignUp(client, used.userId)
  const isFirst = method !== 'email_change' && !(await hasProvenMailbox(client, used.userId))
  const keepsSignUp = method === 'confirmation' && !pending
  const replacedSignUp = isFirst && !keepsSignUp
  if (replacedSignUp) {
    await replaceSignUp(client, used.userId, method === 'confirmation' ? pending : null)
  }
  await recordProof(client, { userId: used.userId, address: used.address, method, replacedSignUp })
}

function methodOf({ type, linkType }: UsedCode): ProofMethod {
  if (type.startsWith('email_change')) return 'email_change'
  if (type === 'recovery_token') return linkType === 'magiclink' ? 'magic_link' : 'recovery'
  return linkType === 'invite' ? 'invite' : 'confirmation'
}
