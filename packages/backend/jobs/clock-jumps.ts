import type pg from 'pg'

/** Differences below this are corrections by the time service, and clocks of two machines. */
const TOLERANCE_MS = 60_000

export interface ClockWatch {
  /** Returns how far the clock has jumped since the last call, in milliseconds; 0 for small corrections. */
  jump(): number
}

/** Compares the clock with the time that has passed. A machine that was suspended counts as a jump forward. */
export function watchClock(): ClockWatch {
  let offset = Date.now() - performance.now()
  return {
    jump() {
      const before = offset
      offset = Date.now() - performance.now()
      return Math.abs(offset - before) > TOLERANCE_MS ? offset - before : 0
    },
  }
}

/**
 * Moves times of the queue that lie in the future back to now. After the clock was wrong for a while, the library would schedule
 * no task, and run no job, until the wrong time has come.
 */
export async function forgetFuture(pool: pg.Pool): Promise<number> {
  const { rowCount: tasks } = await pool.query(
    `update graphile_worker._private_known_crontabs
     set last_execution = date_trunc('minute', now()) - interval '1 minute', known_since = least(known_since, now())
     where greatest(last_execution, known_since) > now() + $1::int * interval '1 ms'`,
    [TOLERANCE_MS],
  )
  // Each job keeps its delay: a retry in ten minutes is still one in ten minutes.
  const { rowCount: jobs } = await pool.query(
    `update graphile_worker._private_jobs
     set run_at = now() + greatest(run_at - updated_at, interval '0'), updated_at = now(), created_at = least(created_at, now())
     where updated_at > now() + $1::int * interval '1 ms' and locked_at is null`,
    [TOLERANCE_MS],
  )
  return (tasks ?? 0) + (jobs ?? 0)
}
