import type { Context } from 'hono'
import type { PoolClient } from 'pg'

import { inTransaction } from '#backend/database/transaction.ts'
import { recordWrongAnswer } from '../audit-log.ts'
import type { AuthContext } from '../auth-context.ts'
import { countGuess } from '../codes/count-guess.ts'
import { rememberNetwork } from '../limits/known-networks.ts'
import type { RateLimit } from '../limits/rate-limit.ts'
import { requestSource } from '../request.ts'
import { recordAuthMethod, type AuthMethod } from '../sessions/open-session.ts'
import { recordNewMethod } from '../sessions/recent-proof.ts'
import { requireUnchanged, type SignedIn } from '../sessions/require-session.ts'
import { nextTokenOfSession } from '../sessions/rotate-token.ts'
import { readGrant, tokenResponse } from '../sessions/token-response.ts'
import type { UserRow } from '../users/user-row.ts'

/** Stored for in-process calls, which have no network address. */
const UNKNOWN_ADDRESS = '0.0.0.0'

export function addressOf(c: Context): string {
  return requestSource(c).address ?? UNKNOWN_ADDRESS
}

interface StepUp {
  signedIn: SignedIn
  /** Limits of wrong answers, besides those of the network address. */
  limits: RateLimit[]
  /** For the audit log. */
  factorType: string
  /** Checks the answer and raises the session; throws for a wrong one, which rolls everything back. */
  prove: (client: PoolClient, user: UserRow) => Promise<ShownFactor>
}

interface ShownFactor {
  method: AuthMethod
  /** Set up with this answer. */
  isNew: boolean
}

/** Returns new tokens of a session that a second factor has raised to aal2. */
export async function stepUp(
  auth: AuthContext,
  c: Context,
  { signedIn, limits, factorType, prove }: StepUp,
): Promise<Response> {
  const { owner } = auth.database
  const { sessionId } = signedIn
  const source = requestSource(c)
  const guess = await countGuess(auth, source, limits)
  const attempt = { actor: signedIn.user.id, address: source.address, factorType }
  const check = () =>
    inTransaction(owner, async (client) => {
      // Locks the account: if two sessions verify a first factor concurrently, the second finds its own factor deleted.
      const user = await requireUnchanged(client, signedIn)
      const { method, isNew } = await prove(client, user)
      await rememberNetwork(client, { userId: user.id, address: addressOf(c), hasShownFactor: true })
      const record = isNew ? recordNewMethod : recordAuthMethod
      await record(client, sessionId, method)
      const refreshToken = await nextTokenOfSession(client, { id: sessionId, userId: user.id })
      return readGrant(client, { userId: user.id, sessionId, refreshToken })
    })
  const grant = await recordWrongAnswer(owner, attempt, check)
  await guess.forgive()
  return c.json(await tokenResponse(auth, grant))
}
