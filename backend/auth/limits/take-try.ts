import { randomBytes } from 'node:crypto'
import type { Pool, PoolClient } from 'pg'

import type { Statement } from '#backend/database/pipeline.ts'
import { networkOf } from '#backend/http/network.ts'
import { AuthError } from '../errors.ts'
import type { Limit } from '../settings.ts'
import { sweepExpired } from './sweep.ts'

export interface Try {
  /** What is tried, for instance `password`. */
  bucket: string
  /** The account or the network address that tries it; an IPv6 address is counted by its /64. */
  subject: string
  limit: Limit
  /** How many tries this one counts as; 1 if left out. */
  cost?: number
}

/** Sweeping rides along with one try in so many: no clock, no process in charge of it. */
const SWEEP_SHARE = 1 / 1000

/** Counts a try, for all processes together; throws when there were too many. */
export async function takeTry(owner: Pool, tried: Try): Promise<void> {
  if (Math.random() < SWEEP_SHARE) await sweepExpired(owner)
  if (!(await countTry(owner, tried))) {
    throw new AuthError('over_request_rate_limit', 'Request rate limit reached')
  }
}

/** Prepared; this module exists twice in a process (decision 0002), and the two must not quarrel about a name. */
const COUNT_TRY = `count_try_${randomBytes(4).toString('hex')}`

/** A leaky bucket for each subject. The database counts the try of an IPv6 /64 for its /48, too. */
export async function countTry(owner: Pool | PoolClient, tried: Try): Promise<boolean> {
  const { rows } = await owner.query<{ counted: boolean }>({
    name: COUNT_TRY,
    text: 'select auth.count_try($1, $2, $3, $4, $5) as counted',
    values: valuesOf(tried),
  })
  return rows[0]?.counted === true
}

/** The level of the bucket with this try in it, or null when the bucket would overflow. */
export async function countLevel(owner: Pool, tried: Try): Promise<number | null> {
  const { rows } = await owner.query<{ level: number | null }>(
    'select auth.count_level($1, $2, $3, $4, $5) as level',
    valuesOf(tried),
  )
  return rows[0]?.level ?? null
}

/**
 * For a transaction of its own before another in the same message: with too many tries neither that nor what follows is done. It
 * does not wait for the disk: a count that a crash takes with it is no loss.
 */
export function requireTries(tries: Try[], refusal: string): Statement {
  const counted = tries.map((_, at) => {
    const [bucket, subject, count, period, cost] = [2, 3, 4, 5, 6].map((place) => `$${at * 5 + place}`)
    return `auth.require_try(${bucket}, ${subject}, ${count}, ${period}, refusal => $1, cost => ${cost})`
  })
  return {
    text: `select ${counted.join(', ')}, set_config('synchronous_commit', 'off', true)`,
    values: [refusal, ...tries.flatMap(valuesOf).map(String)],
  }
}

function valuesOf({ bucket, subject, limit, cost = 1 }: Try) {
  return [bucket, networkOf(subject), limit.tries, limit.periodSeconds, cost]
}

/** 0 when the try was counted, otherwise how long to wait for one. */
export async function secondsUntilTry(owner: Pool, tried: Try): Promise<number> {
  if (await countTry(owner, tried)) return 0
  const { bucket, subject, limit } = tried
  const { rows } = await owner.query<{ seconds: number }>(
    `select ceil((level + 1 - $3) / $4 - extract(epoch from now() - updated_at))::int as seconds
     from auth.rate_limits where bucket = $1 and subject = $2`,
    [bucket, networkOf(subject), limit.tries, limit.tries / limit.periodSeconds],
  )
  return Math.max(1, rows[0]?.seconds ?? 1)
}

/** Forgets the tries, because one of them was right. */
export async function forgetTries(owner: Pool, { bucket, subject }: Try): Promise<void> {
  await owner.query('delete from auth.rate_limits where bucket = $1 and subject = $2', [
    bucket,
    networkOf(subject),
  ])
}

/** What the try cost, and not all: a right guess between the wrong ones must not reset the count of an address. */
export async function giveBackTry(owner: Pool, tried: Try): Promise<void> {
  await owner.query('select auth.give_back_try($1, $2, $3)', [
    tried.bucket,
    networkOf(tried.subject),
    tried.cost ?? 1,
  ])
}
