import type { PoolClient } from 'pg'
import { z } from 'zod'

import { selectRows, selectValues } from '#backend/database/select-rows.ts'
import { AuthError } from '../errors.ts'
import { insufficientAal, needsSecondFactor, isUuid, type SignedIn } from '../sessions/require-session.ts'
import { factorRow } from '../users/user-row.ts'

/** `counter` is the signature counter that the authenticator reported. */
const storedCredential = z.object({
  id: z.string(),
  publicKey: z.string(),
  counter: z.number(),
  transports: z.array(z.string()).optional(),
})

const ownFactor = factorRow.extend({
  secret: z.string().nullable(),
  web_authn_credential: storedCredential.nullable(),
  /** Enrolled too long ago to be set up, if it is unverified. */
  isExpired: z.boolean(),
})

export type StoredCredential = z.infer<typeof storedCredential>
export type OwnFactor = z.infer<typeof ownFactor>

/** Returns the caller's own factor and locks it until the transaction ends. Throws 404, also for other accounts' factors. */
export async function requireFactor(
  client: PoolClient,
  userId: string,
  factorId: string | undefined,
): Promise<OwnFactor> {
  const [factor] = isUuid(factorId)
    ? await selectRows(client, ownFactor, [
        `select *, created_at < now() - make_interval(secs => $3) as "isExpired"
         from auth.mfa_factors where id = $1 and user_id = $2 for update`,
        factorId,
        userId,
        UNVERIFIED_LIFETIME_SECONDS,
      ])
    : []
  if (!factor) throw factorNotFound()
  return factor
}

/** Returns the passkeys that the account has registered. */
export function findCredentials(client: PoolClient, userId: string): Promise<StoredCredential[]> {
  return selectValues(client, storedCredential, [
    'select web_authn_credential from auth.mfa_factors where user_id = $1 and web_authn_credential is not null',
    userId,
  ])
}

/**
 * After this time an unverified factor cannot be set up, and its name is free again. A person may have to install an authenticator app
 * first.
 */
export const UNVERIFIED_LIFETIME_SECONDS = 600

/**
 * Throws when an aal1 session would step up with an unverified factor: a thief with the password could enrol one. Throws also when it
 * has expired: `requireRecentProof` is asked at the enrolment, and its key may have been on an unlocked screen since.
 */
export function requireUsableFactor(signedIn: Pick<SignedIn, 'user' | 'aal'>, factor: OwnFactor): void {
  if (factor.status === 'verified') return
  if (needsSecondFactor(signedIn))
    throw insufficientAal({ message: 'AAL2 required to verify a new factor', status: 403 })
  if (factor.isExpired) throw factorNotFound()
}

function factorNotFound(): AuthError {
  return new AuthError('mfa_factor_not_found', 'Factor not found')
}
