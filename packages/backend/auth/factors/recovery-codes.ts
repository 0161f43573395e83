import { createHash, randomBytes } from 'node:crypto'
import type { Context } from 'hono'
import type { PoolClient } from 'pg'
import { z } from 'zod'

import { asText, selectRow, selectValues } from '#backend/database/select-rows.ts'
import { inTransaction } from '#backend/database/transaction.ts'
import { isSameSecret } from '#backend/http/constant-time.ts'
import { AuthError } from '../errors.ts'
import { recoveryCodeLimits } from '../limits/factor-limits.ts'
import type { AuthContext } from '../auth-context.ts'
import { parseBody } from '../request.ts'
import { requireRecentProof } from '../sessions/recent-proof.ts'
import {
  requireAnySession,
  requireSession,
  requireUnchanged,
  type SignedIn,
} from '../sessions/require-session.ts'
import { verifiedFactors } from '../users/user-row.ts'
import { addressOf, stepUp } from './step-up.ts'

const CODES_PER_SET = 10
/** Without l, o, 0 and 1, which are hard to tell apart on paper. Sixteen of 32 characters are 80 bits. */
const ALPHABET = 'abcdefghijkmnpqrstuvwxyz23456789'
const LETTERS = 16

/** POST /factors/recovery-codes: replaces the set and returns it, once. */
export async function createRecoveryCodes(auth: AuthContext, c: Context): Promise<Response> {
  const signedIn = await requireSession(auth, c, {
    message: 'AAL2 required to make recovery codes',
    status: 403,
  })
  requireVerifiedFactor(signedIn)
  requireRecentProof(auth, signedIn)
  const codes = Array.from({ length: CODES_PER_SET }, newCode)
  const { id } = signedIn.user
  await inTransaction(auth.database.owner, async (client) => {
    // Locks the account: otherwise two concurrent calls would leave two valid sets.
    requireVerifiedFactor({ ...signedIn, user: await requireUnchanged(client, signedIn) })
    await client.query('delete from auth.recovery_codes where user_id = $1', [id])
    await client.query('insert into auth.recovery_codes (user_id, code_hash) select $1, unnest($2::text[])', [
      id,
      codes.map((code) => hashOf(id, code)),
    ])
  })
  return c.json({ type: 'recovery_code', total: codes.length, codes })
}

const countRow = z.object({ remaining: z.number(), created_at: z.date().nullable() })

/** GET /factors/recovery-codes */
export async function countRecoveryCodes(auth: AuthContext, c: Context): Promise<Response> {
  const { user } = await requireSession(auth, c)
  const count = await selectRow(auth.database.owner, countRow, [
    `select count(*) filter (where used_at is null)::int as remaining, min(created_at) as created_at
     from auth.recovery_codes where user_id = $1`,
    user.id,
  ])
  return c.json(count)
}

const schema = z.object({ code: z.string().max(64) })

/** POST /factors/recovery-codes/verify: consumes the code and raises the session to aal2. */
export async function verifyRecoveryCode(auth: AuthContext, c: Context): Promise<Response> {
  const signedIn = await requireAnySession(auth, c)
  const { code } = await parseBody(c, schema)
  return stepUp(auth, c, {
    signedIn,
    limits: await recoveryCodeLimits(auth, signedIn, addressOf(c)),
    factorType: 'recovery code',
    async prove(client, user) {
      await useCode(client, user.id, code)
      await client.query(`update auth.sessions set aal = 'aal2', updated_at = now() where id = $1`, [
        signedIn.sessionId,
      ])
      return { method: 'recovery_code', isNew: false }
    },
  })
}

/** Without it, an intruder who knows the password could create codes before the first factor and bypass that later. */
function requireVerifiedFactor({ user }: SignedIn): void {
  if (verifiedFactors(user).length > 0) return
  throw new AuthError('mfa_factor_not_found', 'Recovery codes need a verified factor', { status: 422 })
}

function newCode(): string {
  const letters = Array.from(randomBytes(LETTERS), (byte) => ALPHABET[byte % ALPHABET.length]).join('')
  return (letters.match(/.{4}/g) ?? []).join('-')
}

/** A fast hash is enough for 80 random bits. */
function hashOf(userId: string, code: string): string {
  const letters = code.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
  return createHash('sha256').update(`${userId}:${letters}`).digest('hex')
}

/** Locks the set, so that a code works once even for concurrent calls. Compares all codes, against timing attacks. */
async function useCode(client: PoolClient, userId: string, code: string): Promise<void> {
  const unused = await selectValues(client, asText, [
    'select code_hash from auth.recovery_codes where user_id = $1 and used_at is null for update',
    userId,
  ])
  const givenHash = hashOf(userId, code)
  const [match] = unused.filter((hash) => isSameSecret(hash, givenHash))
  if (!match) throw new AuthError('mfa_verification_failed', 'Invalid recovery code entered')
  await client.query('update auth.recovery_codes set used_at = now() where user_id = $1 and code_hash = $2', [
    userId,
    match,
  ])
}
