import type { Context } from 'hono'
import { z } from 'zod'

import { inTransaction } from '#backend/database/transaction.ts'
import { AuthError, invalidInput } from '../errors.ts'
import type { AuthParts } from '../parts.ts'
import { originOf, readBody } from '../request.ts'
import { openSession, type AuthMethod } from '../sessions/open-session.ts'
import { tokenAnswer } from '../sessions/token-answer.ts'
import { isVerifierOf, takeFlow } from './flow-state.ts'

const schema = z.object({
  auth_code: z.string().max(255).default(''),
  code_verifier: z.string().max(255).default(''),
})

const METHODS: Partial<Record<string, AuthMethod>> = {
  signup: 'email/signup',
  invite: 'invite',
  recovery: 'recovery',
  magiclink: 'magiclink',
  email_change: 'email_change',
}

/** POST /token?grant_type=pkce: the browser that asked for the link gets the session, and no other. */
export async function exchangeCode(auth: AuthParts, c: Context): Promise<Response> {
  const { auth_code: code, code_verifier: verifier } = await readBody(c, schema)
  if (!code || !verifier)
    throw invalidInput('invalid request: both auth code and code verifier should be non-empty')

  const flow = await inTransaction(auth.database.owner, (client) => takeFlow(client, code))
  if (!flow) throw new AuthError('flow_state_not_found', 'invalid flow state, no valid flow state found')
  if (flow.isExpired) throw new AuthError('flow_state_expired', 'invalid flow state, flow state has expired')
  if (!isVerifierOf(flow, verifier)) {
    throw new AuthError('bad_code_verifier', 'code challenge does not match previously saved code verifier')
  }
  const method = METHODS[flow.purpose] ?? 'otp'
  const grant = await inTransaction(auth.database.owner, (client) =>
    openSession(client, { userId: flow.userId, method, origin: originOf(c) }),
  )
  return c.json(await tokenAnswer(auth, grant))
}
