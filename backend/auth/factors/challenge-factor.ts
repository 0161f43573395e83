import { randomUUID } from 'node:crypto'
import type { Context } from 'hono'

import { inTransaction } from '#backend/database/transaction.ts'
import type { AuthParts } from '../parts.ts'
import { originOf } from '../request.ts'
import { requireSession } from '../sessions/require-session.ts'
import { requireFactor } from './find-factor.ts'

export const CHALLENGE_LIFETIME_SECONDS = 300

/** For calls from within the process, which come from no address. */
export const NO_ADDRESS = '0.0.0.0'

/** POST /factors/:factorId/challenge */
export async function challengeFactor(auth: AuthParts, c: Context): Promise<Response> {
  const { user } = await requireSession(auth, c)
  const id = randomUUID()
  const type = await inTransaction(auth.database.owner, async (client) => {
    const factor = await requireFactor(client, user.id, c.req.param('factorId'))
    await client.query('insert into auth.mfa_challenges (id, factor_id, ip_address) values ($1, $2, $3)', [
      id,
      factor.id,
      originOf(c).address ?? NO_ADDRESS,
    ])
    await client.query('update auth.mfa_factors set last_challenged_at = clock_timestamp() where id = $1', [
      factor.id,
    ])
    return factor.factor_type
  })
  const expiresAt = Math.floor(Date.now() / 1000) + CHALLENGE_LIFETIME_SECONDS
  return c.json({ id, type, expires_at: expiresAt })
}
