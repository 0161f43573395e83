import type { Context } from 'hono'
import type { PoolClient } from 'pg'
import { z } from 'zod'

import { selectRows } from '#backend/database/select-rows.ts'
import { isSameSecret } from '#backend/http/constant-time.ts'
import { hashCode } from '../codes/one-time-codes.ts'
import { AuthError } from '../errors.ts'
import { factorLimits } from '../limits/factor-limits.ts'
import type { AuthContext } from '../auth-context.ts'
import { parseBody } from '../request.ts'
import { requireAnySession, isUuid, type SignedIn } from '../sessions/require-session.ts'
import { CHALLENGE_LIFETIME_SECONDS } from './challenge-factor.ts'
import { requireFactor, requireUsableFactor, type OwnFactor } from './find-factor.ts'
import { finishCeremony, webauthnSchema } from './passkey.ts'
import { addressOf, stepUp } from './step-up.ts'
import { findTotpStep } from './totp.ts'

const schema = z.object({
  challenge_id: z.string(),
  code: z.string().max(16).default(''),
  webauthn: webauthnSchema.optional(),
})

/** POST /factors/:factorId/verify: raises the session to aal2 and returns new tokens. */
export async function verifyFactor(auth: AuthContext, c: Context): Promise<Response> {
  const signedIn = await requireAnySession(auth, c)
  const answer = await parseBody(c, schema)
  const address = addressOf(c)
  const factorId = c.req.param('factorId')
  return stepUp(auth, c, {
    signedIn,
    limits: await factorLimits(auth, signedIn, { factorId, address }),
    factorType: signedIn.user.factors.find(({ id }) => id === factorId)?.factor_type ?? '',
    async prove(client, user) {
      const factor = await requireFactor(client, user.id, factorId)
      requireUsableFactor({ ...signedIn, user }, factor)
      const challenge = await takeChallenge(client, factor, { challengeId: answer.challenge_id, address })
      await requireCorrectAnswer(auth, client, { factor, challenge, answer })
      await raiseSession(client, signedIn, factor)
      return { method: AUTH_METHODS[factor.factor_type], isNew: factor.status === 'unverified' }
    },
  })
}

const takenChallenge = z.object({
  /** Set for phones. */
  codeHash: z.string().nullable(),
  /** Set for passkeys. */
  challenge: z.string().nullable(),
  isSameAddress: z.boolean(),
  isExpired: z.boolean(),
})

type TakenChallenge = z.infer<typeof takenChallenge>

interface FactorProof {
  factor: OwnFactor
  challenge: TakenChallenge
  answer: z.infer<typeof schema>
}

async function requireCorrectAnswer(
  auth: AuthContext,
  client: PoolClient,
  { factor, challenge, answer }: FactorProof,
): Promise<void> {
  switch (factor.factor_type) {
    case 'totp':
      if (factor.secret && (await useTotpCode(client, factor.id, findTotpStep(factor.secret, answer.code))))
        return
      throw new AuthError('mfa_verification_failed', 'Invalid TOTP code entered')
    case 'phone':
      if (isSameSecret(challenge.codeHash ?? '', hashCode(auth.keys.secret, factor.id, answer.code))) return
      throw new AuthError('mfa_verification_failed', 'Invalid MFA Phone code entered')
    case 'webauthn': {
      const { passkeys } = auth.settings
      const response = answer.webauthn?.credential_response
      if (!passkeys || !response || !challenge.challenge) {
        throw new AuthError('mfa_verification_failed', 'WebAuthn response is missing')
      }
      return finishCeremony(client, passkeys, { factor, challenge: challenge.challenge, response })
    }
  }
}

/** Rejects codes of used time steps, so that an observed code cannot be replayed. */
async function useTotpCode(client: PoolClient, factorId: string, step: number | null): Promise<boolean> {
  if (step === null) return false
  const { rowCount } = await client.query(
    `insert into auth.totp_uses as used (factor_id, last_step) values ($1, $2)
     on conflict (factor_id) do update set last_step = excluded.last_step where used.last_step < excluded.last_step`,
    [factorId, step],
  )
  return rowCount === 1
}

/** Deletes the challenge; a wrong answer rolls this back. */
async function takeChallenge(
  client: PoolClient,
  factor: OwnFactor,
  { challengeId, address }: { challengeId: string; address: string },
): Promise<TakenChallenge> {
  const [challenge] = isUuid(challengeId)
    ? await selectRows(client, takenChallenge, [
        `delete from auth.mfa_challenges where id = $1 and factor_id = $2
         returning otp_code as "codeHash", web_authn_session_data ->> 'challenge' as challenge, ip_address = $3::inet as "isSameAddress", created_at < now() - make_interval(secs => $4) as "isExpired"`,
        challengeId,
        factor.id,
        address,
        CHALLENGE_LIFETIME_SECONDS,
      ])
    : []
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
  return challenge
}

const AUTH_METHODS = { totp: 'totp', phone: 'mfa/phone', webauthn: 'mfa/webauthn' } as const

async function raiseSession(
  client: PoolClient,
  { user, sessionId }: SignedIn,
  factor: OwnFactor,
): Promise<void> {
  await client.query(`update auth.mfa_factors set status = 'verified', updated_at = now() where id = $1`, [
    factor.id,
  ])
  // An intruder who knew the password may have enrolled factors, which must not be verified later.
  await client.query(`delete from auth.mfa_factors where user_id = $1 and status = 'unverified'`, [user.id])
  await client.query(
    `update auth.sessions set aal = 'aal2', factor_id = $2, updated_at = now() where id = $1`,
    [sessionId, factor.id],
  )
  if (factor.status === 'unverified') {
    // The account now needs aal2: end sessions that have only aal1.
    await client.query(
      `delete from auth.sessions where user_id = $1 and id <> $2 and coalesce(aal, 'aal1') = 'aal1'`,
      [user.id, sessionId],
    )
  }
}
