import type { PoolClient } from 'pg'

import { AuthError } from '../errors.ts'
import { insufficientAal, needsSecondFactor, isUuid, type SignedIn } from '../sessions/require-session.ts'
import type { FactorRow } from '../users/user-row.ts'

/** `counter` is the signature counter that the authenticator reported. */
export interface StoredCredential {
  id: string
  publicKey: string
  counter: number
  transports?: string[]
}

export type OwnFactor = FactorRow & { secret: string | null; web_authn_credential: StoredCredential | null }

/** Returns the caller's own factor and locks it until the transaction ends. Throws 404, also for other accounts' factors. */
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

/** Throws when an aal1 session would step up with an unverified factor: a thief with the password could enrol one. */
export function requireUsableFactor(signedIn: Pick<SignedIn, 'user' | 'aal'>, factor: OwnFactor): void {
  if (factor.status === 'verified' || !needsSecondFactor(signedIn)) return
  throw insufficientAal({ message: 'AAL2 required to verify a new factor', status: 403 })
}
