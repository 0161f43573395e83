import type { PoolClient } from 'pg'

import { AuthError } from '../errors.ts'
import { insufficient, isHalfProven, isUuid, type SignedIn } from '../sessions/require-session.ts'
import type { FactorRow } from '../users/user-row.ts'
import type { StoredCredential } from './passkey.ts'

export type OwnFactor = FactorRow & { secret: string | null; web_authn_credential: StoredCredential | null }

/** The caller's own factor, locked until the transaction ends; somebody else's is as good as none. */
export async function requireFactor(
  client: PoolClient,
  userId: string,
  factorId: string | undefined,
): Promise<OwnFactor> {
  const { rows } = isUuid(factorId)
    ? await client.query<OwnFactor>(
        'select * from auth.mfa_factors where id = $1 and user_id = $2 for update',
        [factorId, userId],
      )
    : { rows: [] }
  if (!rows[0]) throw new AuthError('mfa_factor_not_found', 'Factor not found')
  return rows[0]
}

/** A session that has shown only the password steps up by a factor that counts already, never by one it laid in itself. */
export function requireMayUse(signedIn: Pick<SignedIn, 'user' | 'aal'>, factor: OwnFactor): void {
  if (factor.status === 'verified' || !isHalfProven(signedIn)) return
  throw insufficient({ message: 'AAL2 required to verify a new factor', status: 403 })
}
