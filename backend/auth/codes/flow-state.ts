import { createHash, randomUUID, timingSafeEqual } from 'node:crypto'
import type { PoolClient } from 'pg'
import { z } from 'zod'

import { invalidInput } from '../errors.ts'
import { optionalText } from '../request.ts'
import { hashSecret, newSecret } from './one-time-codes.ts'

/** A sign-in whose second half only the browser that began it can do (PKCE, RFC 7636). */
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

/** Returns the id of the flow, which the mailed link is then bound to. */
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

/** The code for the browser, once the mailed link has been followed; stored only as a hash. Null when the flow was cancelled. */
export async function issueFlowCode(client: PoolClient, flowId: string): Promise<string | null> {
  const code = newSecret()
  const { rowCount } = await client.query(
    `update auth.flow_state set auth_code = $2, auth_code_issued_at = now(), updated_at = now()
     where id = $1 and auth_code is null`,
    [flowId, hashSecret(code)],
  )
  return rowCount === 1 ? code : null
}

export interface FinishedFlow {
  userId: string
  purpose: string
  challenge: string
  method: string
  isExpired: boolean
}

const CODE_LIFETIME = '5 minutes'

/**
 * Uses the browser's code up, right verifier or not. Locks the account first, as everything that cancels flows does: the other way
 * round, a change of the password and this could wait for each other.
 */
export async function takeFlow(client: PoolClient, code: string): Promise<FinishedFlow | null> {
  await client.query(
    `select from auth.users where id = (select user_id from auth.flow_state where auth_code = $1) for no key update`,
    [hashSecret(code)],
  )
  const { rows } = await client.query<FinishedFlow>(
    `delete from auth.flow_state where auth_code = $1 and auth_code_issued_at is not null
     returning user_id as "userId", authentication_method as purpose, code_challenge as challenge,
       code_challenge_method as method, auth_code_issued_at < now() - interval '${CODE_LIFETIME}' as "isExpired"`,
    [hashSecret(code)],
  )
  return rows[0] ?? null
}

export function isVerifierOf(flow: FinishedFlow, verifier: string): boolean {
  const shown = flow.method === 'plain' ? verifier : createHash('sha256').update(verifier).digest('base64url')
  const [a, b] = [Buffer.from(shown), Buffer.from(flow.challenge)]
  return a.length === b.length && timingSafeEqual(a, b)
}
