import { timingSafeEqual } from 'node:crypto'
import type { Context } from 'hono'
import type { PoolClient } from 'pg'
import { z } from 'zod'

import { inTransaction } from '#backend/database/transaction.ts'
import { hashCode } from '../codes/one-time-codes.ts'
import { AuthError } from '../errors.ts'
import { forgetTries, takeTry } from '../limits/take-try.ts'
import type { AuthParts } from '../parts.ts'
import { originOf, readBody } from '../request.ts'
import { addProof } from '../sessions/open-session.ts'
import { requireSession, isUuid, type SignedIn } from '../sessions/require-session.ts'
import { nextTokenOfSession } from '../sessions/rotate-token.ts'
import { readGrant, tokenAnswer } from '../sessions/token-answer.ts'
import { CHALLENGE_LIFETIME_SECONDS, NO_ADDRESS } from './challenge-factor.ts'
import { requireFactor, type OwnFactor } from './find-factor.ts'
import { isTotpCode } from './totp.ts'

const schema = z.object({ challenge_id: z.string(), code: z.string().max(16).default('') })

/** POST /factors/:factorId/verify: raises the session to aal2 and answers with tokens that say so. */
export async function verifyFactor(auth: AuthParts, c: Context): Promise<Response> {
  const signedIn = await requireSession(auth, c)
  const { challenge_id: challengeId, code } = await readBody(c, schema)
  const { owner } = auth.database
  const failure = {
    bucket: 'factor',
    subject: signedIn.user.id,
    limit: auth.settings.limits.failuresPerAccount,
  }
  await takeTry(owner, failure)

  const address = originOf(c).address ?? NO_ADDRESS
  const grant = await inTransaction(owner, async (client) => {
    const factor = await requireFactor(client, signedIn.user.id, c.req.param('factorId'))
    const sent = await takeChallenge(client, factor, { challengeId, address })
    if (!isRight(factor, code, sent)) {
      const kind = factor.factor_type === 'phone' ? 'MFA Phone' : 'TOTP'
      throw new AuthError('mfa_verification_failed', `Invalid ${kind} code entered`)
    }
    await raiseSession(client, signedIn, factor)
    const refreshToken = await nextTokenOfSession(client, {
      id: signedIn.sessionId,
      userId: signedIn.user.id,
    })
    return readGrant(client, { userId: signedIn.user.id, sessionId: signedIn.sessionId, refreshToken })
  })
  await forgetTries(owner, failure)
  return c.json(await tokenAnswer(auth, grant))
}

interface Answered {
  challengeId: string
  address: string
}

/** `sent` is the hash of the code that went to a phone. */
function isRight(factor: OwnFactor, code: string, sent: string | null): boolean {
  if (factor.factor_type === 'phone') return sent !== null && isSameHash(hashCode(factor.id, code), sent)
  return factor.secret !== null && isTotpCode(factor.secret, code)
}

function isSameHash(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))
}

/** A challenge is used up by the right answer only; a wrong one rolls this back. */
async function takeChallenge(
  client: PoolClient,
  factor: OwnFactor,
  { challengeId, address }: Answered,
): Promise<string | null> {
  const { rows } = isUuid(challengeId)
    ? await client.query<{ sent: string | null; isSameAddress: boolean; isExpired: boolean }>(
        `delete from auth.mfa_challenges where id = $1 and factor_id = $2
         returning otp_code as sent, ip_address = $3::inet as "isSameAddress", created_at < now() - make_interval(secs => $4) as "isExpired"`,
        [challengeId, factor.id, address, CHALLENGE_LIFETIME_SECONDS],
      )
    : { rows: [] }
  const [challenge] = rows
  if (!challenge) {
    throw new AuthError('mfa_factor_not_found', 'MFA factor with the provided challenge ID not found', {
      status: 422,
    })
  }
  if (!challenge.isSameAddress) {
    throw new AuthError('mfa_ip_address_mismatch', 'Challenge and verify IP addresses mismatch.')
  }
  if (challenge.isExpired) {
    throw new AuthError(
      'mfa_challenge_expired',
      `MFA challenge ${challengeId} has expired, verify against another challenge or create a new challenge.`,
    )
  }
  return challenge.sent
}

async function raiseSession(
  client: PoolClient,
  { user, sessionId }: SignedIn,
  factor: OwnFactor,
): Promise<void> {
  await client.query(`update auth.mfa_factors set status = 'verified', updated_at = now() where id = $1`, [
    factor.id,
  ])
  await client.query(
    `delete from auth.mfa_factors where user_id = $1 and factor_type = $2 and status = 'unverified'`,
    [user.id, factor.factor_type],
  )
  await client.query(
    `update auth.sessions set aal = 'aal2', factor_id = $2, updated_at = now() where id = $1`,
    [sessionId, factor.id],
  )
  await addProof(client, sessionId, factor.factor_type === 'phone' ? 'mfa/phone' : 'totp')
  if (factor.status === 'unverified') {
    // From now on a password alone is not enough: sessions that have shown no more than that end.
    await client.query(
      `delete from auth.sessions where user_id = $1 and id <> $2 and coalesce(aal, 'aal1') = 'aal1'`,
      [user.id, sessionId],
    )
  }
}
