import type { Context } from 'hono'

import { invalidInput } from '../errors.ts'
import type { AuthContext } from '../auth-context.ts'
import { requireAnySession, requireSession } from './require-session.ts'

/**
 * POST /logout?scope=global|local|others. Deletes sessions with their refresh tokens; access tokens expire on their own. A session that
 * still needs the second factor may end only itself.
 */
export async function endSessions(auth: AuthContext, c: Context): Promise<Response> {
  const scope = c.req.query('scope') ?? 'global'
  const ended = ENDED[scope]
  if (!ended) throw invalidInput(`Unsupported logout scope "${scope}"`)

  const { user, sessionId } = await (scope === 'local' ? requireAnySession : requireSession)(auth, c)
  await auth.database.owner.query(`delete from auth.sessions where user_id = $1 and ${ended}`, [
    user.id,
    sessionId,
  ])
  return c.body(null, 204)
}

const ENDED: Partial<Record<string, string>> = {
  global: '(id = $2 or true)',
  local: 'id = $2',
  others: 'id <> $2',
}
