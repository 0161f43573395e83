import { randomUUID } from 'node:crypto'
import type { Context } from 'hono'
import type { PoolClient } from 'pg'
import { z } from 'zod'

import { inTransaction } from '#backend/database/transaction.ts'
import { hashCode, newCode } from '../codes/one-time-codes.ts'
import { AuthError } from '../errors.ts'
import { consumeAttempt } from '../limits/rate-limit.ts'
import { requireTextAllowed, type TextSender } from '../limits/text-limits.ts'
import type { AuthContext } from '../auth-context.ts'
import { parseBody } from '../request.ts'
import { requireAnySession } from '../sessions/require-session.ts'
import type { UserRow } from '../users/user-row.ts'
import { requireFactor, requireUsableFactor, type OwnFactor } from './find-factor.ts'
import { beginCeremony, type Ceremony } from './passkey.ts'
import { addressOf } from './step-up.ts'

export const CHALLENGE_LIFETIME_SECONDS = 300

const schema = z.object({ channel: z.enum(['sms', 'whatsapp']).default('sms') })

/** POST /factors/:factorId/challenge; sends a code if the factor is a phone. */
export async function challengeFactor(auth: AuthContext, c: Context): Promise<Response> {
  const signedIn = await requireAnySession(auth, c)
  const { user } = signedIn
  await consumeAttempt(auth, c)
  const { channel } = await parseBody(c, schema)
  const id = randomUUID()
  const address = addressOf(c)
  const sender = { userId: user.id, address }
  const challenge = await inTransaction(auth.database.owner, async (client) => {
    const factor = await requireFactor(client, user.id, c.req.param('factorId'))
    requireUsableFactor(signedIn, factor)
    const code =
      factor.factor_type === 'phone' ? await textCode(auth, client, { factor, channel, sender }) : null
    const webauthn = factor.factor_type === 'webauthn' ? await ceremony(auth, client, { user, factor }) : null
    await client.query(
      `insert into auth.mfa_challenges (id, factor_id, ip_address, otp_code, web_authn_session_data)
       values ($1, $2, $3, $4, $5)`,
      [
        id,
        factor.id,
        address,
        code && hashCode(auth.keys.secret, factor.id, code),
        webauthn && { challenge: webauthn.credential_options.publicKey.challenge },
      ],
    )
    await client.query('update auth.mfa_factors set last_challenged_at = clock_timestamp() where id = $1', [
      factor.id,
    ])
    return { type: factor.factor_type, ...(webauthn ? { webauthn } : {}) }
  })
  return c.json({ id, ...challenge, expires_at: Math.floor(Date.now() / 1000) + CHALLENGE_LIFETIME_SECONDS })
}

function ceremony(
  auth: AuthContext,
  client: PoolClient,
  challenge: { user: UserRow; factor: OwnFactor },
): Promise<Ceremony> {
  const { passkeys } = auth.settings
  if (passkeys) return beginCeremony(client, passkeys, challenge)
  throw new AuthError('mfa_webauthn_verify_not_enabled', 'MFA verification is disabled for WebAuthn')
}

interface CodeText {
  factor: OwnFactor
  channel: 'sms' | 'whatsapp'
  sender: Pick<TextSender, 'userId' | 'address'>
}

/** Per factor. */
const MIN_TEXT_INTERVAL_SECONDS = 60

async function textCode(
  auth: AuthContext,
  client: PoolClient,
  { factor, channel, sender }: CodeText,
): Promise<string> {
  if (!auth.sendText || !factor.phone) {
    throw new AuthError('mfa_phone_verify_not_enabled', 'MFA verification is disabled for Phone')
  }
  const elapsedMs = factor.last_challenged_at
    ? Date.now() - new Date(factor.last_challenged_at).getTime()
    : Infinity
  if (elapsedMs < MIN_TEXT_INTERVAL_SECONDS * 1000) {
    const seconds = Math.ceil(MIN_TEXT_INTERVAL_SECONDS - elapsedMs / 1000)
    throw new AuthError(
      'over_sms_send_rate_limit',
      `For security purposes, you can only request this after ${seconds} seconds.`,
    )
  }
  await requireTextAllowed(auth, client, {
    ...sender,
    phone: factor.phone,
    isVerified: factor.status === 'verified',
  })
  const code = newCode()
  await auth.sendText(client, { to: `+${factor.phone}`, channel, code })
  return code
}
