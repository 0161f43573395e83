import type { Context } from 'hono'

import { invalidInput } from '../errors.ts'
import type { AuthParts } from '../parts.ts'
import { requireAnySession, requireSession } from './require-session.ts'

/**
 * POST /logout?scope=global|local|others. Refresh tokens go with their session; access tokens run out on their own. A session
 * that has not shown the account's factor may end itself, not the owner's.
 */
export async function signOut(auth: AuthParts, c: Context): Promise<Response> {
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
