import { Client, type ClientBase, DatabaseError } from 'pg'
import { DatabaseProblem } from '../problem.ts'
import { type LockWatch, watchLocks } from './blockers.ts'
import type { Run } from './run.ts'

/** Any number, the same in every process: the upgrade of a database holds it. */
const UPGRADING = 7_258_373

/** How long a start waits for another one's upgrade of the same database. */
const TURN_TIMEOUT_S = 60

/** How long a statement of the upgrade waits for other work on a table. */
const LOCK_TIMEOUT_S = 5

/** Runs `work` in the transaction of an upgrade, after those of other processes. */
export async function inUpgrade<T>(url: string, work: (run: Run) => Promise<T>): Promise<T> {
  return connected(url, async (client) => {
    let locks: LockWatch | undefined
    await client.query('begin')
    try {
      const { isSuperuser, pid } = await takeTurn(client)
      locks = watchLocks(url, pid)
      const result = await work({ client, isSuperuser, role: null, locks })
      await client.query('commit')
      return result
    } catch (error) {
      // A connection that is gone has nothing to roll back.
      await client.query('rollback').catch(() => undefined)
      throw error
    } finally {
      await locks?.stop()
    }
  })
}

/** Settings of the transaction, which may not depend on the user's or the database's own. */
async function takeTurn(client: ClientBase): Promise<{ isSuperuser: boolean; pid: number }> {
  await client.query(`set local lock_timeout = '${TURN_TIMEOUT_S}s'; set local statement_timeout = 0`)
  await client.query('select pg_advisory_xact_lock($1)', [UPGRADING])
  await client.query(`
    set local lock_timeout = '${LOCK_TIMEOUT_S}s';
    set local idle_in_transaction_session_timeout = 0;
    set local check_function_bodies = off;
    set local client_min_messages = warning;
    set local search_path = public, extensions`)
  const { rows } = await client.query<{ isSuperuser: boolean; pid: number }>(
    `select rolsuper as "isSuperuser", pg_backend_pid() as pid from pg_roles where rolname = current_user`,
  )
  return rows[0] ?? { isSuperuser: false, pid: 0 }
}

/** Runs `work` on a connection of its own. PostgreSQL's errors become one line. */
export async function connected<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: 10_000,
    application_name: 'upgrade',
  })
  // A connection that breaks fails the query that waits for it.
  client.on('error', () => undefined)
  await client.connect()
  try {
    return await work(client)
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error
    throw new DatabaseProblem(`the database cannot be prepared: ${error.message}`, { cause: error })
  } finally {
    await client.end()
  }
}
