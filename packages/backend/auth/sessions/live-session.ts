import type { Pool } from 'pg'

import type { Claims } from '#backend/http/tokens.ts'
import { InvalidToken, type VerifyAccessToken } from '../keys/token-verifier.ts'
import { isUuid } from './require-session.ts'

/** Returns whether the session of a valid token has ended; false for tokens without a session. */
export async function hasSessionEnded(owner: Pool, { session_id: sessionId }: Claims): Promise<boolean> {
  if (!isUuid(sessionId)) return false
  const { rowCount } = await owner.query(
    'select from auth.sessions where id = $1 and coalesce(not_after > now(), true)',
    [sessionId],
  )
  return rowCount === 0
}

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
