import type { Context } from 'hono'

import { writeAuditEntry } from '../audit-log.ts'
import { invalidInput } from '../errors.ts'
import type { AuthContext } from '../auth-context.ts'
import { requestSource } from '../request.ts'
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
  const { owner } = auth.database
  await owner.query(`delete from auth.sessions where user_id = $1 and ${ended}`, [user.id, sessionId])
  await recordSignOut(auth, c, user.id)
  return c.body(null, 204)
}

/** Sessions also end by themselves, with a new password, and with the account; only this is a sign-out. */
export async function recordSignOut({ database }: AuthContext, c: Context, actor: string): Promise<void> {
  const { address } = requestSource(c)
  await writeAuditEntry(database.owner, { action: 'logout', logType: 'account', actor, address })
}

const ENDED: Partial<Record<string, string>> = {
  global: '(id = $2 or true)',
  local: 'id = $2',
  others: 'id <> $2',
}
