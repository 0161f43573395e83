import type { Pool } from 'pg'

import type { Claims } from '#backend/http/tokens.ts'

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
