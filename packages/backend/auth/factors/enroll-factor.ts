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
import { requireSession, requireUnchanged, type SignedIn } from '../sessions/require-session.ts'
import { loadUser } from '../users/user-row.ts'
import { newTotpSecret, totpUri } from './totp.ts'

const MAX_FACTORS = 10
/** After this time an unverified factor is deleted and its name is free again. */
const UNVERIFIED_LIFETIME = '5 minutes'

const schema = z.object({
  factor_type: z.string(),
  friendly_name: z.string().max(255).default(''),
  issuer: z.string().max(255).default(''),
  phone: z.string().max(32).default(''),
})

type EnrollRequest = z.infer<typeof schema>

const AAL2_REQUIRED = { message: 'AAL2 required to enroll a new factor', status: 403 }

/** POST /factors */
export async function enrollFactor(auth: AuthContext, c: Context): Promise<Response> {
  const signedIn = await requireSession(auth, c, AAL2_REQUIRED)
  const request = await parseBody(c, schema)
  return c.json(await enrollmentOf(auth, request.factor_type)(signedIn, request))
}

type Enroll = (signedIn: SignedIn, request: EnrollRequest) => Promise<Record<string, unknown>>

function enrollmentOf(auth: AuthContext, type: string): Enroll {
  switch (type) {
    case 'totp':
      return (signedIn, request) => enrollTotp(auth, signedIn, request)
    case 'phone':
      if (auth.sendText) return (signedIn, request) => enrollPhone(auth, signedIn, request)
      throw new AuthError('mfa_phone_enroll_not_enabled', 'MFA enroll is disabled for Phone')
    case 'webauthn':
      if (auth.settings.passkeys) return (signedIn, request) => enrollPasskey(auth, signedIn, request)
      throw new AuthError('mfa_webauthn_enroll_not_enabled', 'MFA enroll is disabled for WebAuthn')
    default:
      throw invalidInput('factor_type needs to be totp, phone, or webauthn')
  }
}

/** Returns the secret, which is never shown again. */
async function enrollTotp(
  auth: AuthContext,
  signedIn: SignedIn,
  { friendly_name: name, issuer }: EnrollRequest,
) {
  const secret = newTotpSecret()
  const id = await inTransaction(auth.database.owner, (client) =>
    addFactor(client, signedIn, { type: 'totp', name, secret, phone: null }),
  )
  const uri = totpUri({
    secret,
    issuer: issuer || new URL(siteUrl(auth)).host,
    account: signedIn.user.email || signedIn.user.id,
  })
  return { id, type: 'totp', friendly_name: name, totp: { qr_code: renderSVG(uri), secret, uri } }
}

async function enrollPhone(
  auth: AuthContext,
  signedIn: SignedIn,
  { friendly_name: name, phone: phoneText }: EnrollRequest,
) {
  const phone = normalisePhone(phoneText)
  const id = await inTransaction(auth.database.owner, (client) =>
    addFactor(client, signedIn, { type: 'phone', name, secret: null, phone }),
  )
  return { id, type: 'phone', friendly_name: name, phone }
}

/** The first challenge creates the passkey itself. */
async function enrollPasskey(auth: AuthContext, signedIn: SignedIn, { friendly_name: name }: EnrollRequest) {
  const id = await inTransaction(auth.database.owner, (client) =>
    addFactor(client, signedIn, { type: 'webauthn', name, secret: null, phone: null }),
  )
  return { id, type: 'webauthn', friendly_name: name }
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
     where user_id = $1 and status = 'unverified' and (created_at < now() - interval '${UNVERIFIED_LIFETIME}' or phone = $2)`,
    [userId, factor.phone],
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
