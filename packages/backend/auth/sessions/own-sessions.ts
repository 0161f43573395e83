import type { Context } from 'hono'

import { AuthError } from '../errors.ts'
import type { AuthContext } from '../auth-context.ts'
import { isUuid, requireSession } from './require-session.ts'

interface OwnSession {
  id: string
  created_at: Date
  refreshed_at: Date | null
  user_agent: string | null
  ip: string | null
  aal: string
  current: boolean
}

const AAL2_REQUIRED = { message: 'AAL2 required to see and end sessions', status: 403 }

/** GET /sessions: the caller's sessions, most recently used first. */
export async function listSessions(auth: AuthContext, c: Context): Promise<Response> {
  const { user, sessionId } = await requireSession(auth, c, AAL2_REQUIRED)
  const { rows } = await auth.database.owner.query<OwnSession>(
    `select id, created_at, refreshed_at at time zone 'utc' as refreshed_at, user_agent, host(ip) as ip,
       coalesce(aal, 'aal1') as aal, id = $2 as current
     from auth.sessions
     where user_id = $1 and coalesce(not_after > now(), true)
     order by greatest(created_at, refreshed_at at time zone 'utc') desc, id`,
    [user.id, sessionId],
  )
  return c.json(rows)
}

/** DELETE /sessions/:sessionId: ends one of the caller's sessions; 404 for others. */
export async function endSession(auth: AuthContext, c: Context): Promise<Response> {
  const { user } = await requireSession(auth, c, AAL2_REQUIRED)
  const id = c.req.param('sessionId')
  const { rowCount } = isUuid(id)
    ? await auth.database.owner.query('delete from auth.sessions where id = $1 and user_id = $2', [
        id,
        user.id,
      ])
    : { rowCount: 0 }
  if (rowCount === 0) throw new AuthError('session_not_found', 'Session not found', { status: 404 })
  return c.body(null, 204)
}
