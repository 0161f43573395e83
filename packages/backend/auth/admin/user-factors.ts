import type { Context } from 'hono'

import { inTransaction } from '#backend/database/transaction.ts'
import { requireFactor } from '../factors/find-factor.ts'
import { removeFactor } from '../factors/unenroll-factor.ts'
import type { AuthContext } from '../auth-context.ts'
import { lockAccount } from '../sessions/require-session.ts'
import { factorResponse } from '../users/user-response.ts'
import { requireUser } from './write-user.ts'

/** GET /admin/users/:id/factors */
export async function listUserFactors(auth: AuthContext, c: Context): Promise<Response> {
  const { factors } = await requireUser(auth, c)
  return c.json(factors.map(factorResponse))
}

/** DELETE /admin/users/:id/factors/:factorId, for a user who has lost the device. */
export async function deleteUserFactor(auth: AuthContext, c: Context): Promise<Response> {
  const user = await requireUser(auth, c)
  const factor = await inTransaction(auth.database.owner, async (client) => {
    await lockAccount(client, user.id)
    const target = await requireFactor(client, user.id, c.req.param('factorId'))
    await removeFactor(client, target.id, null)
    return target
  })
  return c.json(factorResponse(factor))
}
