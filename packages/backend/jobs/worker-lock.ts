import type pg from 'pg'

/**
 * graphile-worker unlocks the jobs of a killed process after four hours, which is too late for a payment notice. Each process
 * therefore holds an advisory lock on its pool's id, which PostgreSQL releases when the connection ends, and unlocks the jobs of
 * pools without such a lock.
 */
export interface WorkerLock {
  end(): Promise<void>
}

const SWEEP_INTERVAL_MS = 2500
/** Skips recently locked jobs: a process acquires its lock just after it starts working. */
const GRACE_SECONDS = 2
/** First key of the advisory locks. */
export const LOCK_CLASS = 0x6a6f6273

export async function holdWorkerLock(
  pool: pg.Pool,
  holder: string,
  { sweepIntervalMs = SWEEP_INTERVAL_MS } = {},
): Promise<WorkerLock> {
  let client: pg.PoolClient | null = null
  let isSweeping = false
  let ended = false

  // Sweeps must not overlap: a second one would wait for the first one's lock and block a connection of the pool.
  async function sweep() {
    if (isSweeping || ended) return
    isSweeping = true
    try {
      // A broken connection has released the lock; the next sweep acquires it again.
      client ??= await acquireLock(pool, holder)
      if (ended) return dropConnection()
      await client.query(FREE_ABANDONED_JOBS, [LOCK_CLASS, GRACE_SECONDS])
    } catch {
      // The next sweep retries.
      dropConnection()
    } finally {
      isSweeping = false
    }
  }
  const timer = setInterval(sweep, sweepIntervalMs).unref()

  function dropConnection() {
    client?.release(true)
    client = null
  }

  await sweep()
  return {
    async end() {
      ended = true
      clearInterval(timer)
      dropConnection()
    },
  }
}

async function acquireLock(pool: pg.Pool, holder: string): Promise<pg.PoolClient> {
  const client = await pool.connect()
  // Without a listener, the `error` event of a lost connection would end the process; the next query reports it, too.
  client.on('error', () => {})
  try {
    await client.query('select pg_advisory_lock($1, hashtext($2))', [LOCK_CLASS, holder])
  } catch (error) {
    client.release(true)
    throw error
  }
  return client
}

/** `pg_locks` shows an advisory lock with two keys as classid and objid, with objsubid 2. */
const FREE_ABANDONED_JOBS = `
  with holders as (
    select distinct locked_by from graphile_worker._private_jobs
    where locked_by is not null
      -- A lock of the future was taken while the clock was wrong.
      and locked_at not between now() - make_interval(secs => $2) and now() + make_interval(secs => $2)
  )
  select graphile_worker.force_unlock_workers(array_agg(locked_by))
  from holders
  where not exists (
    select from pg_locks
    where locktype = 'advisory'
      and database = (select oid from pg_database where datname = current_database())
      and classid = $1::oid and objid::bigint = hashtext(locked_by)::bigint & 4294967295
      and objsubid = 2 and granted
  )
  having count(*) > 0`
