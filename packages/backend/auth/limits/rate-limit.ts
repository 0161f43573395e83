import { randomBytes } from 'node:crypto'
import type { Context } from 'hono'
import type { Pool, PoolClient } from 'pg'

import type { Statement } from '#backend/database/pipeline.ts'
import { asNumber, selectValue, selectValues } from '#backend/database/select-rows.ts'
import { networkOf } from '#backend/http/network.ts'
import type { AuthContext } from '../auth-context.ts'
import { AuthError } from '../errors.ts'
import { requestSource } from '../request.ts'
import type { Limit } from './default-limits.ts'
import { sweepExpired } from './sweep.ts'

export interface RateLimit {
  /** The limited action, for instance `password`. */
  bucket: string
  /** The account or network address that is limited; IPv6 addresses count by their /64. */
  subject: string
  limit: Limit
  /** Units that one call consumes; default 1. */
  cost?: number
}

/** Share of calls that also delete expired rows, so that no timer or leading process is needed. */
const SWEEP_SHARE = 1 / 1000

/** Consumes the limit, shared by all processes. Throws 429 `over_request_rate_limit` when it is exhausted. */
export async function consumeRateLimit(owner: Pool, rateLimit: RateLimit): Promise<void> {
  if (Math.random() < SWEEP_SHARE) await sweepExpired(owner)
  if (!(await tryConsumeRateLimit(owner, rateLimit))) {
    throw new AuthError('over_request_rate_limit', 'Request rate limit reached')
  }
}

/** Consumes the limit of sign-ins, sign-ups and requested mails of the client's address. Throws 429. */
export function consumeAttempt(auth: AuthContext, c: Context): Promise<void> {
  return consumeAddressLimit(auth, c, { bucket: 'attempt', limit: auth.settings.limits.attemptsPerAddress })
}

/** Consumes the limit of new accounts of the client's address. Throws 429. */
export function requireSignUpAllowed(auth: AuthContext, c: Context): Promise<void> {
  return consumeAddressLimit(auth, c, { bucket: 'sign-up', limit: auth.settings.limits.signUpsPerAddress })
}

/** Consumes a limit of the client's address. Throws 429. */
export function consumeAddressLimit(
  { database }: AuthContext,
  c: Context,
  { bucket, limit }: Pick<RateLimit, 'bucket' | 'limit'>,
): Promise<void> {
  return consumeRateLimit(database.owner, { bucket, limit, subject: requestSource(c).address ?? 'unknown' })
}

/** Name of the prepared statement. Random, because this module is loaded twice in a process (decision 0002). */
const COUNT_TRY = `count_try_${randomBytes(4).toString('hex')}`

/** Returns false when the limit is exhausted. A leaky bucket per subject; the database also counts an IPv6 /64 for its /48. */
export async function tryConsumeRateLimit(owner: Pool | PoolClient, rateLimit: RateLimit): Promise<boolean> {
  const { rowCount } = await owner.query({
    name: COUNT_TRY,
    text: 'select from auth.count_try($1, $2, $3, $4, $5) as is_counted where is_counted',
    values: valuesOf(rateLimit),
  })
  return rowCount === 1
}

const levelAfter = asNumber.nullable()

/** Consumes the limit and returns the bucket's new level, or null when it would overflow. */
export function raiseRateLimitLevel(owner: Pool, rateLimit: RateLimit): Promise<number | null> {
  const count = 'select auth.count_level($1, $2, $3, $4, $5)'
  return selectValue(owner, levelAfter, [count, ...valuesOf(rateLimit)])
}

/**
 * Returns a statement for a transaction of its own, sent in one message with the next transaction. It raises `refusal` when a limit is
 * exhausted, which skips the next transaction too. Commits asynchronously: a crash may lose the count, which is harmless.
 */
export function rateLimitStatement(rateLimits: RateLimit[], refusal: string): Statement {
  const counted = rateLimits.map((_, at) => {
    const [bucket, subject, count, period, cost] = [2, 3, 4, 5, 6].map((place) => `$${at * 5 + place}`)
    return `auth.require_try(${bucket}, ${subject}, ${count}, ${period}, refusal => $1, cost => ${cost})`
  })
  return {
    text: `select ${counted.join(', ')}, set_config('synchronous_commit', 'off', true)`,
    values: [refusal, ...rateLimits.flatMap(valuesOf).map(String)],
  }
}

function valuesOf({ bucket, subject, limit, cost = 1 }: RateLimit) {
  return [bucket, networkOf(subject), limit.tries, limit.periodSeconds, cost]
}

/** Returns 0 when the limit was consumed, otherwise the seconds to wait. */
export async function consumeOrRetryAfter(owner: Pool, rateLimit: RateLimit): Promise<number> {
  if (await tryConsumeRateLimit(owner, rateLimit)) return 0
  const { bucket, subject, limit } = rateLimit
  const [seconds = 1] = await selectValues(owner, asNumber, [
    `select ceil((level + 1 - $3) / $4 - extract(epoch from now() - updated_at))::int
     from auth.rate_limits where bucket = $1 and subject = $2`,
    bucket,
    networkOf(subject),
    limit.tries,
    limit.tries / limit.periodSeconds,
  ])
  return Math.max(1, seconds)
}

export async function resetRateLimit(owner: Pool, { bucket, subject }: RateLimit): Promise<void> {
  await owner.query('delete from auth.rate_limits where bucket = $1 and subject = $2', [
    bucket,
    networkOf(subject),
  ])
}

/** Gives back one call's cost. A full reset would let a correct guess clear the wrong guesses of its network address. */
export async function creditRateLimit(owner: Pool, rateLimit: RateLimit): Promise<void> {
  await owner.query('select auth.give_back_try($1, $2, $3)', [
    rateLimit.bucket,
    networkOf(rateLimit.subject),
    rateLimit.cost ?? 1,
  ])
}
