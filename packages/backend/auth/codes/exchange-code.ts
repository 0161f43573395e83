import type { Context } from 'hono'
import { z } from 'zod'

import { inTransaction } from '#backend/database/transaction.ts'
import { AuthError, invalidInput } from '../errors.ts'
import type { AuthContext } from '../auth-context.ts'
import { requestSource, parseBody } from '../request.ts'
import { openSession, type AuthMethod } from '../sessions/open-session.ts'
import { tokenResponse } from '../sessions/token-response.ts'
import { isBanned, loadUser } from '../users/user-row.ts'
import { countGuess } from './count-guess.ts'
import { isVerifierOf, takeFlow, type FinishedFlow } from './flow-state.ts'

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

/** POST /token?grant_type=pkce: returns a session only to the browser that requested the link. */
export async function exchangeCode(auth: AuthContext, c: Context): Promise<Response> {
  const { auth_code: code, code_verifier: verifier } = await parseBody(c, schema)
  if (!code || !verifier)
    throw invalidInput('invalid request: both auth code and code verifier should be non-empty')

  const source = requestSource(c)
  const guess = await countGuess(auth, source)
  // Return refusals instead of throwing, so that the transaction commits the code as used.
  const result = await inTransaction(auth.database.owner, async (client) => {
    const flow = await takeFlow(client, code)
    const refusal = refusalOf(flow, verifier)
    if (!flow || refusal) return { refusal }
    if (isBanned(await loadUser(client, flow.userId)))
      return { refusal: new AuthError('user_banned', 'User is banned', { status: 403 }) }
    const method = METHODS[flow.purpose] ?? 'otp'
    return { grant: await openSession(client, { userId: flow.userId, method, source }) }
  })
  if (!result.grant) throw result.refusal
  await guess.forgive()
  return c.json(await tokenResponse(auth, result.grant))
}

function refusalOf(flow: FinishedFlow | null, verifier: string): AuthError | null {
  if (!flow) return new AuthError('flow_state_not_found', 'invalid flow state, no valid flow state found')
  if (flow.isExpired) return new AuthError('flow_state_expired', 'invalid flow state, flow state has expired')
  if (isVerifierOf(flow, verifier)) return null
  return new AuthError('bad_code_verifier', 'code challenge does not match previously saved code verifier')
}
