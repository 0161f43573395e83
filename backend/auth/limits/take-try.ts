import { randomBytes } from 'node:crypto'
import type { Pool, PoolClient } from 'pg'

import { AuthError } from '../errors.ts'
import type { Limit } from '../settings.ts'
import { sweepExpired } from './sweep.ts'

export interface Try {
  /** What is tried, for instance `password`. */
  bucket: string
  /** Who tries it: an address, an account. */
  subject: string
  limit: Limit
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

/**
 * A leaky bucket in one statement: two requests at once cannot both take the last try, because the second waits for
 * the first one's row.
 */
export async function countTry(owner: Pool | PoolClient, { bucket, subject, limit }: Try): Promise<boolean> {
  const { rowCount } = await owner.query({
    name: COUNT_TRY,
    text: `insert into auth.rate_limits as l (bucket, subject, level) values ($1, $2, 1)
     on conflict (bucket, subject) do update set
       level = greatest(0, l.level - extract(epoch from now() - l.updated_at) * $3::float8) + 1,
       updated_at = now()
     where greatest(0, l.level - extract(epoch from now() - l.updated_at) * $3::float8) + 1 <= $4::float8`,
    values: [bucket, subject, limit.tries / limit.periodSeconds, limit.tries],
  })
  return rowCount === 1
}

/** 0 when the try was counted, otherwise how long to wait for one. */
export async function secondsUntilTry(owner: Pool, tried: Try): Promise<number> {
  if (await countTry(owner, tried)) return 0
  const { bucket, subject, limit } = tried
  const { rows } = await owner.query<{ seconds: number }>(
    `select ceil((level + 1 - $3) / $4 - extract(epoch from now() - updated_at))::int as seconds
     from auth.rate_limits where bucket = $1 and subject = $2`,
    [bucket, subject, limit.tries, limit.tries / limit.periodSeconds],
  )
  return Math.max(1, rows[0]?.seconds ?? 1)
}

/** Forgets the tries, because one of them was right. */
export async function forgetTries(owner: Pool, { bucket, subject }: Try): Promise<void> {
  await owner.query('delete from auth.rate_limits where bucket = $1 and subject = $2', [bucket, subject])
}
