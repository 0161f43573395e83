import type { Pool } from 'pg'

import { UnusableToken, type VerifyToken } from '../keys/token-verifier.ts'
import { hasEnded } from './has-ended.ts'

/**
 * Refuses tokens whose session was ended. One query for each check: the services keep a checked token for a minute
 * (`backend/http/tokens.ts`), which is how long a customer's token outlives its session.
 */
export function requireLiveSession(verifyToken: VerifyToken, owner: Pool): VerifyToken {
  return async function verifyLiveToken(token) {
    const claims = await verifyToken(token)
    if (await hasEnded(owner, claims)) throw new UnusableToken('token_invalid', 'the session has ended')
    return claims
  }
}
