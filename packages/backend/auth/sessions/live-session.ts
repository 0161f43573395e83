import type { Pool } from 'pg'

import { InvalidToken, type VerifyAccessToken } from '../keys/token-verifier.ts'
import { hasSessionEnded } from './has-session-ended.ts'

/**
 * Rejects tokens whose session has ended, with one query per check. The services cache verified tokens for a minute
 * (`packages/backend/http/tokens.ts`), so a token may outlive its session by that long.
 */
export function requireLiveSession(verifyToken: VerifyAccessToken, owner: Pool): VerifyAccessToken {
  return async function verifyLiveToken(token) {
    const claims = await verifyToken(token)
    if (await hasSessionEnded(owner, claims)) throw new InvalidToken('token_invalid', 'the session has ended')
    return claims
  }
}
