import { randomUUID } from 'node:crypto'
import type { Context } from 'hono'
import type { PoolClient } from 'pg'
import { renderSVG } from 'uqr'
import { z } from 'zod'

import { inTransaction } from '#backend/database/transaction.ts'
import { siteUrl } from '../codes/redirects.ts'
import { AuthError, invalidInput } from '../errors.ts'
import type { AuthParts } from '../parts.ts'
import { readBody } from '../request.ts'
import { requireSession } from '../sessions/require-session.ts'
import { loadUser, verifiedFactors, type UserRow } from '../users/user-row.ts'
import { newTotpSecret, totpUri } from './totp.ts'

const MAX_FACTORS = 10
/** Begun and not finished within this time: it no longer takes up a name. */
const UNFINISHED_FOR = '5 minutes'

const schema = z.object({
  factor_type: z.string(),
  friendly_name: z.string().max(255).default(''),
  issuer: z.string().max(255).default(''),
})

/** POST /factors: the secret is shown this once. */
export async function enrollFactor(auth: AuthParts, c: Context): Promise<Response> {
  const { user, aal } = await requireSession(auth, c)
  const { factor_type: type, friendly_name: name, issuer } = await readBody(c, schema)
  requireServed(type)
  if (verifiedFactors(user).length > 0 && aal === 'aal1') {
    throw new AuthError('insufficient_aal', 'AAL2 required to enroll a new factor', { status: 403 })
  }

  const secret = newTotpSecret()
  const id = await inTransaction(auth.database.owner, (client) => addFactor(client, user, { name, secret }))
  const uri = totpUri({
    secret,
    issuer: issuer || new URL(siteUrl(auth)).host,
    account: user.email || user.id,
  })
  const totp = { qr_code: renderSVG(uri), secret, uri }
  return c.json({ id, type: 'totp', friendly_name: name, totp })
}

function requireServed(type: string): void {
  switch (type) {
    case 'totp':
      return
    case 'phone':
      throw new AuthError('mfa_phone_enroll_not_enabled', 'MFA enroll is disabled for Phone')
    case 'webauthn':
      throw new AuthError('mfa_webauthn_enroll_not_enabled', 'MFA enroll is disabled for WebAuthn')
    default:
      throw invalidInput('factor_type needs to be totp, phone, or webauthn')
  }
}

async function addFactor(
  client: PoolClient,
  { id: userId }: UserRow,
  factor: { name: string; secret: string },
) {
  // Two enrolments at once would both find the name free.
  await client.query('select from auth.users where id = $1 for update', [userId])
  await client.query(
    `delete from auth.mfa_factors
     where user_id = $1 and status = 'unverified' and created_at < now() - interval '${UNFINISHED_FOR}'`,
    [userId],
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
    `insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status, secret)
     values ($1, $2, $3, 'totp', 'unverified', $4)`,
    [id, userId, factor.name, factor.secret],
  )
  return id
}
