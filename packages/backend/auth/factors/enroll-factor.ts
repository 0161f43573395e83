import { randomUUID } from 'node:crypto'
import type { Context } from 'hono'
import type { PoolClient } from 'pg'
import { renderSVG } from 'uqr'
import { z } from 'zod'

import { inTransaction } from '#backend/database/transaction.ts'
import { siteUrl } from '../codes/redirects.ts'
import { AuthError, invalidInput } from '../errors.ts'
import type { AuthContext } from '../auth-context.ts'
import { normalisePhone, parseBody } from '../request.ts'
import { requireRecentProof } from '../sessions/recent-proof.ts'
import { requireSession, requireUnchanged, type SignedIn } from '../sessions/require-session.ts'
import { loadUser } from '../users/user-row.ts'
import { UNVERIFIED_LIFETIME_SECONDS } from './find-factor.ts'
import { newTotpSecret, totpUri } from './totp.ts'

const MAX_FACTORS = 10

const schema = z.object({
  factor_type: z.string(),
  friendly_name: z.string().max(255).default(''),
  issuer: z.string().max(255).default(''),
  phone: z.string().max(32).default(''),
})

const AAL2_REQUIRED = { message: 'AAL2 required to enroll a new factor', status: 403 }

/** POST /factors */
export async function enrollFactor(auth: AuthContext, c: Context): Promise<Response> {
  const signedIn = await requireSession(auth, c, AAL2_REQUIRED)
  requireRecentProof(auth, signedIn)
  const request = await parseBody(c, schema)
  const type = enabledType(auth, request.factor_type)
  const name = request.friendly_name
  // Returned once. The first challenge of a passkey creates the passkey itself.
  const secret = type === 'totp' ? newTotpSecret() : null
  const phone = type === 'phone' ? normalisePhone(request.phone) : null
  const id = await inTransaction(auth.database.owner, (client) =>
    addFactor(client, signedIn, { type, name, secret, phone }),
  )
  const totp = secret && totpSetup(auth, signedIn, { secret, issuer: request.issuer })
  return c.json({ id, type, friendly_name: name, ...(totp && { totp }), ...(phone && { phone }) })
}

function enabledType(auth: AuthContext, type: string): NewFactor['type'] {
  switch (type) {
    case 'totp':
      return type
    case 'phone':
      if (auth.sendText) return type
      throw new AuthError('mfa_phone_enroll_not_enabled', 'MFA enroll is disabled for Phone')
    case 'webauthn':
      if (auth.settings.passkeys) return type
      throw new AuthError('mfa_webauthn_enroll_not_enabled', 'MFA enroll is disabled for WebAuthn')
    default:
      throw invalidInput('factor_type needs to be totp, phone, or webauthn')
  }
}

function totpSetup(
  auth: AuthContext,
  { user }: SignedIn,
  { secret, issuer }: { secret: string; issuer: string },
) {
  const uri = totpUri({
    secret,
    issuer: issuer || new URL(siteUrl(auth)).host,
    account: user.email || user.id,
  })
  return { qr_code: renderSVG(uri), secret, uri }
}

interface NewFactor {
  type: 'totp' | 'phone' | 'webauthn'
  name: string
  secret: string | null
  phone: string | null
}

async function addFactor(client: PoolClient, signedIn: SignedIn, factor: NewFactor): Promise<string> {
  // Locks the account: otherwise two concurrent enrolments could use one name, and a session checked before another one verified a
  // first factor could still add its own.
  const { id: userId } = await requireUnchanged(client, signedIn, AAL2_REQUIRED)
  // A repeated enrolment of a phone replaces the unverified one.
  await client.query(
    `delete from auth.mfa_factors
     where user_id = $1 and status = 'unverified' and (created_at < now() - make_interval(secs => $3) or phone = $2)`,
    [userId, factor.phone, UNVERIFIED_LIFETIME_SECONDS],
  )
  const { factors } = await loadUser(client, userId)
  if (factors.length >= MAX_FACTORS) {
    throw new AuthError(
      'too_many_enrolled_mfa_factors',
      'Maximum number of verified factors reached, unenroll to continue',
    )
  }
  if (factors.some((known) => (known.friendly_name ?? '') === factor.name)) {
    throw new AuthError(
      'mfa_factor_name_conflict',
      `A factor with the friendly name "${factor.name}" for this user already exists`,
    )
  }
  const id = randomUUID()
  await client.query(
    `insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status, secret, phone)
     values ($1, $2, $3, $4, 'unverified', $5, $6)`,
    [id, userId, factor.name, factor.type, factor.secret, factor.phone],
  )
  return id
}
