import type { PoolClient } from 'pg'
import { z } from 'zod'

import type { AuthContext } from '../auth-context.ts'
import { AuthError } from '../errors.ts'
import type { AuthMethod } from './open-session.ts'

const LIFETIME_MS = 10 * 60_000

const proofs = z.array(z.object({ timestamp: z.number() })).catch([])

/** Returns when the session of a token last showed a secret, according to its claim `amr`, in ms since 1970. */
export function lastProofAt(amr: unknown): number {
  return Math.max(0, ...proofs.parse(amr).map(({ timestamp }) => timestamp * 1000))
}

/**
 * Throws `reauthentication_needed` unless the session has shown a password, a mailed link or a second factor within ten minutes. A
 * stranger at an unlocked screen could otherwise create a secret, and keep the account with it.
 */
export function requireRecentProof({ settings }: AuthContext, { provenAt }: { provenAt: number }): void {
  if (!settings.factorChangeNeedsReauthentication || provenAt > Date.now() - LIFETIME_MS) return
  throw new AuthError('reauthentication_needed', 'This change requires reauthentication')
}

/** Records the method of a factor that was set up just now. It keeps the time of the last proof, because its secret is on the screen. */
export async function recordNewMethod(
  client: PoolClient,
  sessionId: string,
  method: AuthMethod,
): Promise<void> {
  await client.query(
    `insert into auth.mfa_amr_claims (id, session_id, created_at, updated_at, authentication_method)
     select gen_random_uuid(), $1, now(), coalesce(max(updated_at), 'epoch'), $2
     from auth.mfa_amr_claims where session_id = $1
     on conflict (session_id, authentication_method) do nothing`,
    [sessionId, method],
  )
}
