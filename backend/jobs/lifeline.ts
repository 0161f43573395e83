import type pg from 'pg'

/**
 * graphile-worker frees the jobs of a killed process after four hours. A payment notice cannot wait
 * that long, so each process holds an advisory lock in its pool's name for as long as it lives: the
 * database lets go of it the moment the connection dies. Jobs whose holder has no such lock are freed.
 */
export interface Lifeline {
  end(): Promise<void>
}

const SWEEP_EVERY_MS = 2500
/** A process takes its lock just after it starts working; younger locks are not judged. */
const YOUNG_SECONDS = 2
/** First half of the advisory locks' key: these locks, and no others. */
export const LOCK_CLASS = 0x6a6f6273

export async function keepAlive(
  pool: pg.Pool,
  holder: string,
  { sweepEveryMs = SWEEP_EVERY_MS } = {},
): Promise<Lifeline> {
  let client: pg.PoolClient | null = null
  let isSweeping = false
  let ended = false

  // One at a time: a second one would wait for the first one's lock, and keep its connection from everybody else.
  async function sweep() {
    if (isSweeping || ended) return
    isSweeping = true
    try {
      // A broken connection took the lock with it; the next sweep takes a new one.
      client ??= await hold(pool, holder)
      if (ended) return dropConnection()
      await client.query(FREE_ABANDONED_JOBS, [LOCK_CLASS, YOUNG_SECONDS])
    } catch {
      // A database that does not answer now is asked again by the next sweep.
      dropConnection()
    } finally {
      isSweeping = false
    }
  }
  const timer = setInterval(sweep, sweepEveryMs).unref()

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

async function hold(pool: pg.Pool, holder: string): Promise<pg.PoolClient> {
  const client = await pool.connect()
  // Without a listener a lost connection would end the process; the next query reports it as well.
  client.on('error', () => {})
  try {
    await client.query('select pg_advisory_lock($1, hashtext($2))', [LOCK_CLASS, holder])
  } catch (error) {
    client.release(true)
    throw error
  }
  return client
}

/** A lock with two keys shows in `pg_locks` as classid and objid, with objsubid 2. */
const FREE_ABANDONED_JOBS = `
  with holders as (
    select distinct locked_by from graphile_worker._private_jobs
    where locked_by is not null and locked_at < now() - make_interval(secs => $2)
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
