import { setTimeout as pause } from 'node:timers/promises'
import type { Pool, PoolClient } from 'pg'
import { asBoolean, asText, selectValue, selectValues } from '#backend/database/select-rows.ts'

/** First keys of the advisory locks: one for the holder, one that those who wait for it share. */
const HELD = 0x75706c64
const WANTED = 0x75706c65
/** How long a holder works on after another process has asked for its lock. */
const LOOK_EVERY_MS = 250
const RETRY_MS = 50

interface Locked<T> {
  id: string
  /** Aborted when another process wants the lock, or when the lock is lost with its connection. */
  stop: AbortController
  work: () => Promise<T>
}

export type WithSharedLock = <T>(locked: Locked<T>) => Promise<T>

/**
 * Locks by id that hold across processes. A later process takes a lock over: it asks, and starts when the holder has ended. All locks
 * of a process are on one connection, which it returns to the pool when it holds none.
 */
export function createSharedLocks(owner: Pool): WithSharedLock {
  const holders = new Map<string, AbortController>()
  let users = 0
  let session: Promise<Session> | null = null
  let looking: NodeJS.Timeout | undefined

  async function open(): Promise<Session> {
    const client = await owner.connect()
    client.on('error', lose)
    const opened = { client, enqueue: statementQueue() }
    looking = setInterval(() => void giveUpWanted(opened).catch(lose), LOOK_EVERY_MS).unref()
    return opened
  }

  /** The locks have ended with the connection. */
  function lose(): void {
    for (const stop of holders.values()) stop.abort()
  }

  async function giveUpWanted({ client, enqueue }: Session): Promise<void> {
    if (holders.size === 0) return
    const wanted = await enqueue(() =>
      selectValues(client, asText, [WANTED_IDS, [...holders.keys()], WANTED]),
    )
    for (const id of wanted) holders.get(id)?.abort()
  }

  async function close(): Promise<void> {
    clearInterval(looking)
    const closing = session
    session = null
    const ended = await closing?.catch(() => null)
    if (!ended) return
    const { client, enqueue } = ended
    client.off('error', lose)
    const isSound = await enqueue(() => client.query('select pg_advisory_unlock_all()')).then(
      () => true,
      () => false,
    )
    // A broken connection does not return to the pool.
    client.release(!isSound)
  }

  return async function withSharedLock({ id, stop, work }) {
    users += 1
    try {
      session ??= open()
      const current = await session
      await acquire(current, id)
      holders.set(id, stop)
      try {
        return await work()
      } finally {
        holders.delete(id)
        await run(current, 'pg_advisory_unlock', { key: HELD, id }).catch(lose)
      }
    } finally {
      users -= 1
      if (users === 0) await close()
    }
  }
}

interface Session {
  client: PoolClient
  /** Runs one statement after the other. */
  enqueue: <T>(statement: () => Promise<T>) => Promise<T>
}

function statementQueue(): Session['enqueue'] {
  let last: Promise<unknown> = Promise.resolve()
  return function enqueue(statement) {
    const result = last.then(statement)
    last = result.catch(() => undefined)
    return result
  }
}

type LockFunction =
  | 'pg_try_advisory_lock'
  | 'pg_advisory_unlock'
  | 'pg_try_advisory_lock_shared'
  | 'pg_advisory_unlock_shared'

function run(
  { client, enqueue }: Session,
  name: LockFunction,
  { key, id }: { key: number; id: string },
): Promise<boolean> {
  return enqueue(() => selectValue(client, asBoolean, [`select ${name}($1, hashtext($2))`, key, id]))
}

async function acquire(session: Session, id: string): Promise<void> {
  const tryLock = () => run(session, 'pg_try_advisory_lock', { key: HELD, id })
  if (await tryLock()) return
  const wanted = { key: WANTED, id }
  await run(session, 'pg_try_advisory_lock_shared', wanted)
  try {
    while (!(await tryLock())) await pause(RETRY_MS)
  } finally {
    await run(session, 'pg_advisory_unlock_shared', wanted)
  }
}

/** `pg_locks` shows an advisory lock with two keys as classid and objid, with objsubid 2. */
const WANTED_IDS = `
  select id from unnest($1::text[]) as id
  where exists (
    select from pg_locks
    where locktype = 'advisory' and granted and pid <> pg_backend_pid()
      and database = (select oid from pg_database where datname = current_database())
      and classid = $2::int::oid and objid::bigint = hashtext(id)::bigint & 4294967295 and objsubid = 2)`
