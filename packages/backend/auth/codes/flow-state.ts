import { createHash, randomUUID } from 'node:crypto'
import type { PoolClient } from 'pg'
import { z } from 'zod'

import { findRow } from '#backend/database/select-rows.ts'
import { isSameSecret } from '#backend/http/constant-time.ts'
import { invalidInput } from '../errors.ts'
import { optionalText } from '../request.ts'
import { hashSecret, newSecret } from './one-time-codes.ts'

/** A PKCE challenge (RFC 7636): only the browser that began the sign-in can finish it. */
export interface Challenge {
  challenge: string
  method: 'plain' | 's256'
}

export const challengeMembers = { code_challenge: optionalText, code_challenge_method: optionalText }

export function parseChallenge(body: {
  code_challenge: string | null
  code_challenge_method: string | null
}): Challenge | null {
  const { code_challenge: challenge, code_challenge_method: method } = body
  if (!challenge && !method) return null
  const known = z.enum(['plain', 's256']).safeParse(method?.toLowerCase())
  if (!challenge || !known.success || !/^[\w.~-]{43,128}$/.test(challenge)) {
    throw invalidInput(
      'PKCE flow requires a code_challenge of 43 to 128 characters and a code_challenge_method',
    )
  }
  return { challenge, method: known.data }
}

/** Returns the flow's id; the mailed link is bound to it. */
export async function beginFlow(
  client: PoolClient,
  userId: string,
  { challenge, method, purpose }: Challenge & { purpose: string },
): Promise<string> {
  const id = randomUUID()
  await client.query(
    `insert into auth.flow_state (id, user_id, code_challenge, code_challenge_method, provider_type, authentication_method)
     values ($1, $2, $3, $4, 'email', $5)`,
    [id, userId, challenge, method, purpose],
  )
  return id
}

/** Returns the code for the browser after the mailed link was followed, or null if the flow was cancelled. Stores only its hash. */
export async function issueFlowCode(client: PoolClient, flowId: string): Promise<string | null> {
  const code = newSecret()
  const { rowCount } = await client.query(
    `update auth.flow_state set auth_code = $2, auth_code_issued_at = now(), updated_at = now()
     where id = $1 and auth_code is null`,
    [flowId, hashSecret(code)],
  )
  return rowCount === 1 ? code : null
}

const finishedFlow = z.object({
  userId: z.string(),
  purpose: z.string(),
  challenge: z.string(),
  method: z.string(),
  isExpired: z.boolean(),
})

export type FinishedFlow = z.infer<typeof finishedFlow>

const CODE_LIFETIME = '5 minutes'

/**
 * Consumes the browser's code, even if the verifier turns out wrong. Locks the account first, in the same order as a password change;
 * the other order can deadlock.
 */
export async function takeFlow(client: PoolClient, code: string): Promise<FinishedFlow | null> {
  await client.query(
    `select from auth.users where id = (select user_id from auth.flow_state where auth_code = $1) for no key update`,
    [hashSecret(code)],
  )
  return findRow(client, finishedFlow, [
    `delete from auth.flow_state where auth_code = $1 and auth_code_issued_at is not null
     returning user_id as "userId", authentication_method as purpose, code_challenge as challenge,
       code_challenge_method as method, auth_code_issued_at < now() - interval '${CODE_LIFETIME}' as "isExpired"`,
    hashSecret(code),
  ])
}

export function isVerifierOf(flow: FinishedFlow, verifier: string): boolean {
  const computed =
    flow.method === 'plain' ? verifier : createHash('sha256').update(verifier).digest('base64url')
  return isSameSecret(computed, flow.challenge)
}
