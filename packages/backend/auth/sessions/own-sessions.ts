import type { Context } from 'hono'
import { z } from 'zod'

import { selectRows } from '#backend/database/select-rows.ts'
import { AuthError } from '../errors.ts'
import type { AuthContext } from '../auth-context.ts'
import { recordSignOut } from './end-sessions.ts'
import { isUuid, requireSession } from './require-session.ts'

const ownSession = z.object({
  id: z.string(),
  created_at: z.date().nullable(),
  refreshed_at: z.date().nullable(),
  user_agent: z.string().nullable(),
  ip: z.string().nullable(),
  aal: z.string(),
  current: z.boolean(),
})

const AAL2_REQUIRED = { message: 'AAL2 required to see and end sessions', status: 403 }

/** GET /sessions: the caller's sessions, most recently used first. */
export async function listSessions(auth: AuthContext, c: Context): Promise<Response> {
  const { user, sessionId } = await requireSession(auth, c, AAL2_REQUIRED)
  const sessions = await selectRows(auth.database.owner, ownSession, [
    `select id, created_at, refreshed_at at time zone 'utc' as refreshed_at, user_agent, host(ip) as ip,
       coalesce(aal, 'aal1') as aal, id = $2 as current
     from auth.sessions
     where user_id = $1 and coalesce(not_after > now(), true)
     order by greatest(created_at, refreshed_at at time zone 'utc') desc, id`,
    user.id,
    sessionId,
  ])
  return c.json(sessions)
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
  await recordSignOut(auth, c, user.id)
  return c.body(null, 204)
}
