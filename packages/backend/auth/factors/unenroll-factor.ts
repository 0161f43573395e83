import type { Context } from 'hono'
import type { PoolClient } from 'pg'

import { asText, selectValues } from '#backend/database/select-rows.ts'
import { inTransaction } from '#backend/database/transaction.ts'
import type { AuthContext } from '../auth-context.ts'
import { requireRecentProof } from '../sessions/recent-proof.ts'
import { requireSession, requireUnchanged } from '../sessions/require-session.ts'
import { requireFactor } from './find-factor.ts'

const AAL2_REQUIRED = { message: 'AAL2 required to unenroll verified factor', status: 422 }

/** DELETE /factors/:factorId */
export async function unenrollFactor(auth: AuthContext, c: Context): Promise<Response> {
  const signedIn = await requireSession(auth, c, AAL2_REQUIRED)
  const id = await inTransaction(auth.database.owner, async (client) => {
    // Locks the account: a session that loses aal2 meanwhile must not remove another factor.
    const user = await requireUnchanged(client, signedIn, AAL2_REQUIRED)
    const factor = await requireFactor(client, user.id, c.req.param('factorId'))
    if (factor.status === 'verified') requireRecentProof(auth, signedIn)
    await removeFactor(client, factor.id, signedIn.sessionId)
    return factor.id
  })
  return c.json({ id })
}

/**
 * Deletes the factor. If the account keeps another one, ends the sessions that it raised, except the caller's: at aal1 they would look
 * signed in and read empty tables. Lowers the others to aal1.
 */
export async function removeFactor(
  client: PoolClient,
  factorId: string,
  callerSessionId: string | null,
): Promise<void> {
  await client.query(
    `delete from auth.sessions s where factor_id = $1 and id is distinct from $2::uuid and exists (
       select from auth.mfa_factors f where f.user_id = s.user_id and f.id <> $1 and f.status = 'verified')`,
    [factorId, callerSessionId],
  )
  await client.query(
    `delete from auth.mfa_amr_claims where authentication_method in ('totp', 'mfa/phone', 'mfa/webauthn')
       and session_id in (select id from auth.sessions where factor_id = $1)`,
    [factorId],
  )
  await client.query(
    `update auth.sessions set aal = 'aal1', factor_id = null, updated_at = now() where factor_id = $1`,
    [factorId],
  )
  const [userId] = await selectValues(client, asText, [
    'delete from auth.mfa_factors where id = $1 returning user_id',
    factorId,
  ])
  if (userId) await forgetRecoveryCodes(client, userId)
}

/** After the last factor: deletes the recovery codes and lowers the sessions that they raised. */
async function forgetRecoveryCodes(client: PoolClient, userId: string): Promise<void> {
  const { rowCount } = await client.query(
    `delete from auth.recovery_codes where user_id = $1
       and not exists (select from auth.mfa_factors where user_id = $1 and status = 'verified')`,
    [userId],
  )
  if (rowCount === 0) return
  await client.query(
    `with fallen as (
       update auth.sessions set aal = 'aal1', updated_at = now() where user_id = $1 and aal = 'aal2' returning id
     )
     delete from auth.mfa_amr_claims
     where authentication_method = 'recovery_code' and session_id in (select id from fallen)`,
    [userId],
  )
}
